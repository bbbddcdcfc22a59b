"""The plan over time on paper: phases, a portfolio of workloads on shared chips, and what was done."""
