"""What commands show in the terminal: tables that fit, and lines of text."""
