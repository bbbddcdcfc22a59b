"""The one owner of the plan, its undo stack and its results; and what happens to the file."""
