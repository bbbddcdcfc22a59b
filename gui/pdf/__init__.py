"""The comparison plan on A4 pages: laid out once, painted on PDF and on screen by the same code."""
