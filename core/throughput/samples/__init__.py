"""Work counted in samples: vision, encoders, recommenders, diffusion, graphs."""
