"""What readers of machine logs share: ticks and chips, cells, units, columns."""
