"""What readers of training logs share."""
