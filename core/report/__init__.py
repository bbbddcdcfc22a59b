"""The paper: the comparison plan as neutral sections, tables and figures, and other file forms."""
