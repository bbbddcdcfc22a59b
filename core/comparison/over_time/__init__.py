"""Phases of a plan, one after the other: what each holds, when it ends, what it costs, and other ways to run them."""
