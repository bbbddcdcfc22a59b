"""Prices in time: their dates, age, history, and how far they can be trusted."""
