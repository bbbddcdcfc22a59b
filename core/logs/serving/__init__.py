"""What logs of servers have in common: the labels of their figures, and one test's figures gathered."""
