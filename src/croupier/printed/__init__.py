"""The paperwork: layout, sign, gaming guide, strategy card, mathematics report and submission form, read from one Offer."""
