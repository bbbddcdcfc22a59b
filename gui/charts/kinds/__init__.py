"""One file a chart: results in, figure out."""
