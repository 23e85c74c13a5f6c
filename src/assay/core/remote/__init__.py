"""Places that are not on this machine, by their address: s3://bucket/suite, hf://datasets/NAME/FILE and so on."""
