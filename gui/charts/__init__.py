"""Charts: results become figures, plain data, which one painter draws on screen and on paper."""
