"""Steps of reinforcement learning: answers, scores, training and the way of the weights between them."""
