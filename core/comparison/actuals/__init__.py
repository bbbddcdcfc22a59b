"""Day two: what was done and spent against the plan as it was, where that leads, and what to do if it slips."""
