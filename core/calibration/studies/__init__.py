"""Fits and cross-validation on published rows: what sets the engine's coefficients, for developers."""
