"""What is compared: options, chip counts, and the clusters to predict."""
