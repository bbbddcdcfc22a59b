"""Tables with columns of their own, one file a kind: how each is read into the columns of the two main ones."""
