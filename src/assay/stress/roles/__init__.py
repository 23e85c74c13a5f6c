"""The family roles: who did what to whom, exchanged or told in the passive."""
