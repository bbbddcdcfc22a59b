"""The chart as a widget: zoom, pointing, selection, export."""
