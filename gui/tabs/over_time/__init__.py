"""The Over time tab: the plan as phases one after the other, and other ways to run them."""
