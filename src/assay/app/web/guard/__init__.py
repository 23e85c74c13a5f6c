"""What stands between the network and the views: addresses, limits, headers, tokens."""
