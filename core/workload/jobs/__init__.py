"""Kinds of job: training, batch inference and online serving."""
