"""Workers: pools of processes, engines for clusters, and shards for schedulers."""
