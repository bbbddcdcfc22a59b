"""How much: one file a component, added up in total.py."""
