"""What the auditor knows: chips, cards, persons, meters. It shares nothing with the tables except the words of the log."""
