"""The plan as a whole: what its workloads' picks come to together."""
