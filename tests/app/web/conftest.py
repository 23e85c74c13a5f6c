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

TOKEN = "a-token-that-only-the-tests-know"
MODELS = ("assay:majority", "assay:hypothesis-words", "assay:overlap")
HOST = "testserver"

Client = Callable[..., TestClient]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run."""
    out = tmp_path_factory.mktemp("runs")
    families = ("negation", "word-overlap", "lexical", "swap", "heuristics")
    assay.run(assay.read("bundled", limit=40), families=families, models=MODELS, per_subcase=2, out=out, cache=False)
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
