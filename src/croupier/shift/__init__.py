"""The night shift: a seeded simulator of whole pits with injected faults, checked by an auditor. Seed in, verdict out."""
