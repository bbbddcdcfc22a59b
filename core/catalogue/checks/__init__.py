"""Is the catalogue sound: references, units, plausibility, and where every row went."""
