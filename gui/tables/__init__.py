"""Tables of results: model, delegate and view."""
