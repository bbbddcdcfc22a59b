"""The document: a frozen plan, edited by path, stored as one SQLite file."""
