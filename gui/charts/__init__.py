"""Charts: one file a chart turns results into a figure; view.py draws figures."""
