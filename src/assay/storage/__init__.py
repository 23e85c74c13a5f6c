"""Files written whole, digests, caches and addresses such as s3://."""
