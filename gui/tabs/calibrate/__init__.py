"""The Calibrate tab."""
