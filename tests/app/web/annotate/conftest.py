"""A served folder with a suite, and people who visit it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.conftest import case

from assay.app.web.app import application
from assay.app.web.guard.access import Role
from assay.app.web.site import Site
from assay.bench.annotation.sample import draw_sample
from assay.core.case import Case
from assay.core.label import THREE_WAY

HOST = "127.0.0.1:1"
OWNER = "the-owner's-token"
HOSTILE = "<img src=x onerror=\"alert('no')\"><script>alert(1)</script>"

Visit = Callable[..., TestClient]


def cases(many: int = 12) -> list[Case]:
    """Cases whose ids and families people must not see."""
    return [
        case(n, family="negation", premise=f"Cook {n} fries {n} eggs. {HOSTILE}", label=THREE_WAY[n % 3])
        for n in range(many)
    ]


def sampled(folder: Path, layout: str = "label", *, many: int = 12) -> None:
    """A sample for annotators, in `folder/check`."""
    draw_sample(cases(many), folder / "check", annotators=(), size=many, layout=layout)  # type: ignore[arg-type]


def site_of(folder: Path) -> Site:
    """What is served, with an owner."""
    site = Site(folder, port=1)
    site.access.admit(OWNER, "owner", Role.OWNER)
    return site


def csrf_of(page: str) -> str:
    """What changes from a page must carry."""
    found = re.search(r'name="csrf" content="(\w+)"', page)
    assert found, page
    return found[1]


@pytest.fixture
def site(tmp_path: Path) -> Site:
    sampled(tmp_path)
    made = site_of(tmp_path)
    for name in ("ann", "bob"):
        made.tasks.invite("check", made.tasks.get("check").add(name))
    return made


@pytest.fixture
def visit(site: Site) -> Visit:
    """A browser that was opened with somebody's link; its headers carry what changes need."""

    def call(name: str = "owner", *, served: Site = site) -> TestClient:
        app = application(served, hosts={HOST})
        client = TestClient(app, base_url=f"http://{HOST}")
        token = OWNER if name == "owner" else served.tasks.token("check", name)
        page = client.get("/annotate" if name == "owner" else "/task", params={"token": token})
        assert page.status_code == 200, page.text
        client.headers["x-csrf"] = csrf_of(page.text)
        return client

    return call
