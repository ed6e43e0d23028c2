"""The floor: everything around the tables that is not a rule of the game, such as shuffles, people, the log and surveillance."""
