"""A chart as plain data: what is shown, axes, ticks, places of labels."""
