"""The floor: what happens outside the rules and around the tables. It shuffles, and proves that it shuffles well."""
