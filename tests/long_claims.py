"""A file of claims whose evidence has two thousand words, for the recipe of the README."""

import csv
import random
from pathlib import Path

TOWNS = ("Aden", "Brno", "Cork", "Davos", "Evora", "Faro", "Ghent", "Hobart")
OWNERS = ("a baker", "a doctor", "a teacher", "a sailor", "a painter", "a lawyer")
THINGS = ("bridge", "school", "market", "station", "library", "harbour", "theatre", "garden")
WORDS = 2000


def write_claims(path: Path, claims: int = 24) -> None:
    """Every other claim is in its evidence; the rest name another owner. The sentence that decides is anywhere."""
    chance = random.Random(3)
    rows = [["evidence", "claim", "label"]]
    for number in range(claims):
        town = chance.choice(TOWNS)
        owner, other = chance.sample(OWNERS, 2)
        sentences: list[str] = []
        while sum(len(each.split()) for each in sentences) < WORDS:
            year, thing, place = chance.randint(1850, 1990), chance.choice(THINGS), chance.choice(TOWNS)
            sentences.append(f"The {thing} of {place} was opened in {year}, and many visitors came on the first day.")
        sentences.insert(chance.randrange(len(sentences)), f"The old mill in {town} belongs to {owner}.")
        supported = number % 2 == 0
        claim = f"The mill in {town} belongs to {owner if supported else other}."
        rows.append([" ".join(sentences), claim, "SUPPORTED" if supported else "NOT SUPPORTED"])
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
