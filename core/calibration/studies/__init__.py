"""Fits and judgements on published rows: what sets the engine's coefficients, for developers."""
