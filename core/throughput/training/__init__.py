"""Training of transformers: layouts, memory, time of a step, checkpoints and restarts."""
