"""What runs: workload profiles, model architectures and the work they mean."""
