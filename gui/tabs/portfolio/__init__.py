"""Several workloads on shared chips over months: demand, ways to pay for it, cash, and small models packed."""
