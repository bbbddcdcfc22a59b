"""How much: parts of the bill, one file a part, added up in total.py; hardware of one's own; cash over time."""
