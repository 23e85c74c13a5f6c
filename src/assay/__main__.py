"""`python -m assay` is the command line."""

from assay.app.cli.main import main

main()
