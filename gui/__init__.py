"""The window. It reads core and decides nothing."""
