"""The one owner of the plan, its undo stack and its results; the road off the GUI thread; and the file."""
