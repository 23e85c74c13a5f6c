"""Tables as plain data, which every format then writes."""
