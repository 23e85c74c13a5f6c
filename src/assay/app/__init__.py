"""The command line, the web application, the pytest plugin."""
