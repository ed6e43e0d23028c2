"""What the auditor knows: chips, cards, meters. It shares nothing with the tables but the words of the log."""
