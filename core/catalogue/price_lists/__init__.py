"""Price lists of other tools, read by column name; every row is taken over or left out with its reason."""
