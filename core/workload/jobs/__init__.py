"""Kinds of job, training, batch inference and online serving, and the traits by which the planner knows them."""
