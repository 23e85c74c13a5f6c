"""A small stored run, and a server of it that answers in the test's own process."""

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import assay
from assay.app.web.app import application
from assay.app.web.guard.access import Person, Role
from assay.app.web.runs import Found
from assay.app.web.site import Site
from assay.core.label import Label
from assay.core.pair import Pair

TOKEN = "a-token-that-only-the-tests-know"
MODELS = ("assay:majority", "assay:hypothesis-words", "assay:overlap")
HOST = "testserver"
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>\u202e{{7*7}}\x1b[31m"

Client = Callable[..., TestClient]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run."""
    out = tmp_path_factory.mktemp("runs")
    families = ("negation", "word-overlap", "lexical", "swap", "heuristics")
    assay.run(assay.read("bundled", limit=40), families=families, models=MODELS, per_subcase=2, out=out, cache=False)
    return out


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run, in which everything that people can name is code."""
    out = tmp_path_factory.mktemp("hostile")
    labels = [Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION] * 4
    pairs = [
        Pair(
            id=f"p{number} {HOSTILE}",
            premise=f"=1+{HOSTILE} {number}",
            hypothesis=f"It is {HOSTILE}.",
            label=label,
            group={HOSTILE: f"{HOSTILE}{number % 2}"},
        )
        for number, label in enumerate(labels)
    ]
    models = {
        f"{HOSTILE}{label}": lambda asked, label=label: [label] * len(asked) for label in ("neutral", "contradiction")
    }
    assay.run(pairs, families="negation", models=models, out=out, cache=False)
    (out / f"{HOSTILE.replace('/', '')}.jsonl").write_text("{}")
    return out


@pytest.fixture(autouse=True)
def _indexes_stay_in_the_test(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_INDEXES", str(tmp_path_factory.getbasetemp() / "indexes"))


@pytest.fixture
def site(served: Path) -> Site:
    made = Site(served, models=["assay:overlap"], port=80)
    made.access.admit(TOKEN, "owner", Role.OWNER)
    return made


@pytest.fixture
def run(site: Site) -> Found:
    return site.runs.readable()[-1]  # the oldest: tests may have started others


@pytest.fixture
def owner(site: Site) -> Person:
    person = site.access.by_token(TOKEN)
    assert person is not None
    return person


@pytest.fixture
def stranger(site: Site) -> TestClient:
    """Somebody without a token."""
    return TestClient(application(site, hosts={HOST}), follow_redirects=False)


@pytest.fixture
def client(site: Site, owner: Person) -> TestClient:
    """The owner's browser, which sends what a page of ours would send with a change."""
    return TestClient(
        application(site, hosts={HOST}),
        cookies={site.cookie: owner.session},
        headers={"x-csrf": owner.csrf},
        follow_redirects=False,
    )
