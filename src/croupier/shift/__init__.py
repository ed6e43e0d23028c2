"""The night shift: a seeded simulator of whole pits of tables, with every fault, against an auditor. Seed in, verdict out."""
