"""What keeps strangers out, and what each of these protections refuses."""

import http.client
import logging
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient
from tests.fixtures.web import HOST, TOKEN

from assay.core.errors import UserError
from assay.serve import access_tokens, application, auth
from assay.serve.access_tokens import Role, TokenHolder
from assay.serve.application import allowed_hosts, make_application
from assay.serve.auth import Buckets
from assay.serve.served_runs import RunOverview
from assay.serve.server import ServeOptions, http_server, serve
from assay.serve.site import Site
from assay.serve.views import VIEWS
from assay.serve.views.start_run import UPLOAD
from assay.serve.views.task_list import corpora_of

ROUTES: list[Route] = [each for view in VIEWS for each in view.ROUTES]


def filled(route: Route) -> str:
    """An address of a route."""
    return re.sub(r"\{\w+\}", "x", route.path)


def called(client: TestClient, route: Route, **options: Any) -> int:
    method = next(iter(route.methods - {"HEAD"})) if route.methods else "GET"
    return client.request(method, filled(route), **options).status_code


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_every_route_needs_a_token(stranger: TestClient, route: Route) -> None:
    assert called(stranger, route) == 401


@pytest.mark.parametrize("route", [each for each in ROUTES if each.role is Role.OWNER], ids=lambda route: route.name)  # type: ignore[attr-defined]
def test_an_annotator_sees_nothing_of_the_owner(site: Site, route: Route) -> None:
    person = site.access.admit("another-token-for-the-tests", "ana", Role.ANNOTATOR)
    browser = TestClient(
        make_application(site, hosts={HOST}), cookies={site.cookie: person.session}, headers={"x-csrf": person.csrf}
    )
    assert called(browser, route) == 403


@pytest.mark.parametrize(
    "route", [each for each in ROUTES if each.methods and not each.methods <= auth.SAFE], ids=lambda route: route.name
)
def test_a_change_needs_more_than_a_cookie(site: Site, owner: TokenHolder, route: Route) -> None:
    browser = TestClient(make_application(site, hosts={HOST}), cookies={site.cookie: owner.session})
    assert called(browser, route) == 403
    assert called(browser, route, headers={"x-csrf": "0" * 64}) == 403
    assert called(browser, route, data={"csrf": "wrong"}) == 403
    assert called(browser, route, headers={"x-csrf": owner.csrf}) != 403


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_do_not_get(stranger: TestClient, site: Site) -> None:
    answer = stranger.get(f"/studies?token={TOKEN}&x=1")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/studies?x=1"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert TOKEN not in answer.headers["set-cookie"]
    assert stranger.get("/studies").status_code == 200


def test_behind_https_the_cookie_never_travels_without_it(site: Site) -> None:
    for scheme in ("http", "https"):
        browser = TestClient(
            make_application(site, hosts={HOST}), base_url=f"{scheme}://{HOST}", follow_redirects=False
        )
        assert ("secure" in browser.get(f"/?token={TOKEN}").headers["set-cookie"].lower()) is (scheme == "https")


def test_a_stranger_learns_how_to_get_in(stranger: TestClient) -> None:
    """Also from a copied link, which has no token; the button that copies says so."""
    page = stranger.get("/runs/x").text
    assert "Open the address that assay serve printed in its terminal, or ask the person who runs the server" in page


def test_a_wrong_token_does_not_let_in_and_cannot_be_guessed_quickly(
    stranger: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth, "WRONG_TOKENS", Buckets(rate=0, burst=3, clock=lambda: 0.0))
    codes = [stranger.get(f"/?token=wrong{number}").status_code for number in range(5)]
    assert codes == [401, 401, 401, 429, 429]


def test_a_form_with_too_many_fields_is_refused(client: TestClient) -> None:
    body = "&".join(f"field{number}=1" for number in range(5000))
    refused = client.post("/try", content=body, headers={"content-type": "application/x-www-form-urlencoded"})
    assert refused.status_code == 413
    assert "At most 1,000 fields" in refused.text


@pytest.fixture
def live(site: Site) -> Iterator[int]:
    """The port of a real server, in a thread."""
    listening = socket.create_server(("127.0.0.1", 0))
    port: int = listening.getsockname()[1]
    server = http_server(make_application(site, hosts=allowed_hosts("127.0.0.1", port)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    yield port
    server.should_exit = True
    thread.join(30)


def status(port: int, path: str, **headers: str) -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        line.request("GET", path, headers=headers)
        return line.getresponse().status


def test_a_header_of_a_proxy_does_not_make_another_visitor(live: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "WRONG_TOKENS", Buckets(rate=0, burst=3, clock=lambda: 0.0))
    codes = [status(live, f"/?token=wrong{number}", **{"X-Forwarded-For": f"10.0.0.{number}"}) for number in range(5)]
    assert codes == [401, 401, 401, 429, 429]


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: ", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"]
)
def test_a_connection_that_does_not_ask_is_closed(live: int, sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "PATIENCE", 0.1)
    with socket.create_connection(("127.0.0.1", live), timeout=60) as line:
        line.sendall(sent)
        while line.recv(4096):
            pass


def test_a_connection_that_asked_before_must_ask_in_time_as_well(live: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "PATIENCE", 0.1)
    request = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{live}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", live), timeout=60) as line:
        line.sendall(request)
        assert line.recv(12) == b"HTTP/1.1 401"
        line.sendall(request[:20])
        while line.recv(4096):
            pass


def test_there_may_be_only_so_many_connections(live: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "MOST_CONNECTIONS", 2)
    held = [socket.create_connection(("127.0.0.1", live), timeout=60) for _ in range(2)]
    assert status_of_new_connection(live) is None
    for line in held:
        line.close()
    while status_of_new_connection(live) is None:  # until the server has seen that they are gone
        pass


def status_of_new_connection(port: int) -> int | None:
    """The status of an answer; None if the connection was closed."""
    try:
        return status(port, "/")
    except (ConnectionError, http.client.HTTPException):
        return None


def test_pages_that_watch_a_run_take_no_thread(
    site: Site, owner: TokenHolder, live: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More of them than there are threads, and the next page still comes."""
    monkeypatch.setattr(site.jobs, "_work", lambda: None)
    site.jobs.start([])
    cookie = f"{site.cookie}={owner.session}"
    with ExitStack() as watching:
        for _ in range(50):
            line = watching.enter_context(closing(http.client.HTTPConnection("127.0.0.1", live, timeout=60)))
            line.request("GET", "/start/1/events", headers={"Cookie": cookie})
            assert watching.enter_context(line.getresponse()).readline().startswith(b"data: ")
        assert status(live, "/start", Cookie=cookie) == 200
        site.jobs.stop(site.jobs.get("1"))


def test_secrets_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def watched(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    people = access_tokens.Access()
    person = people.admit("one", "ana", Role.OWNER)
    people.admit("two", "ben", Role.OWNER)
    monkeypatch.setattr("assay.serve.access_tokens.hmac.compare_digest", watched)
    assert people.by_token("one") == person
    assert people.by_session(person.session) == person
    assert access_tokens.is_same(person.csrf, person.csrf)
    assert len(compared) == 5, "each is compared with everybody, whoever it is"


def test_nothing_holds_a_token(site: Site) -> None:
    assert TOKEN not in repr(vars(site.access))


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "testserver.evil", "", "testserver:81"])
def test_another_name_for_this_machine_is_refused(client: TestClient, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://testserver:81", "https://testserver.evil"])
def test_another_site_is_refused(client: TestClient, origin: str) -> None:
    assert client.get("/", headers={"origin": origin}).status_code == 403
    assert client.post("/try", headers={"origin": origin}).status_code == 403


def test_the_own_site_is_not(client: TestClient) -> None:
    assert client.get("/", headers={"origin": f"http://{HOST}"}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/nothing", "/static/x/app.css", "/static/x/none", "/runs/none", "/api/none"])
def test_every_answer_has_safe_headers(client: TestClient, stranger: TestClient, path: str) -> None:
    for browser in (client, stranger):
        headers = browser.get(path).headers
        policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
        assert policy == {
            **dict.fromkeys(("default-src", "base-uri", "frame-ancestors"), "'none'"),
            **dict.fromkeys(("script-src", "style-src", "connect-src", "form-action"), "'self'"),
            "img-src": "'self' data:",
        }
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        for name in ("referrer-policy", "cross-origin-opener-policy", "cross-origin-resource-policy"):
            assert headers[name] == "same-origin"
        assert headers["cache-control"] == "no-store" or path == "/static/x/app.css"


@pytest.mark.parametrize(
    "path", ["/", "/runs/RUN", "/runs/RUN/cases", "/runs/RUN/cases/3", "/compare", "/try", "/studies"]
)
def test_no_page_has_scripts_or_styles_of_its_own(client: TestClient, run: RunOverview, path: str) -> None:
    text = client.get(path.replace("RUN", run.record.id)).text
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
    for tag in re.findall(r"<script[^>]*>", text):
        assert 'src="/static/' in tag or 'type="application/json"' in tag
    assert not re.findall(r"""(?:src|href)=["'](?:https?:)?//""", text), "nothing comes from elsewhere"


def test_a_body_that_is_too_long_is_refused(client: TestClient) -> None:
    assert client.post("/api/ask", content=b"x" * (auth.BODY + 1)).status_code == 413
    pieces = (b"x" * 65536 for _ in range(auth.BODY // 65536 + 1))
    assert client.post("/api/ask", content=pieces).status_code == 413, "even if it does not say how long it is"
    name = {"x-file-name": "long.csv"}
    assert client.post("/api/corpora", content=b"x" * (UPLOAD + 1), headers=name).status_code == 413


def test_a_visitor_that_asks_too_often_is_refused(
    site: Site, owner: TokenHolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assay.serve.application.BURST", 3.0)
    monkeypatch.setattr("assay.serve.application.RATE", 0.0)
    app = make_application(site, hosts={HOST})
    browser = TestClient(app, cookies={site.cookie: owner.session})
    assert [browser.get("/studies").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    assert TestClient(app).get("/studies").status_code == 401, "others may go on"


@pytest.mark.parametrize("name", ["..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "/etc/passwd", "%00", "a/../../b"])
@pytest.mark.parametrize("path", ["/runs/{}", "/runs/{}/cases", "/studies/{}", "/audits/{}", "/static/x/{}"])
def test_no_address_leads_out_of_the_folder(client: TestClient, path: str, name: str) -> None:
    answer = client.get(path.format(name))
    assert answer.status_code in (307, 404)
    assert "root:" not in answer.text


@pytest.mark.parametrize("name", ["../../out", "/tmp/out", "..\\out", ".hidden/../../out"])
def test_no_name_of_a_suite_leads_out_of_the_folder(
    client: TestClient, site: Site, run: RunOverview, name: str
) -> None:
    client.get(f"/runs/{run.record.id}/cases")  # makes the index, which is elsewhere
    before = {path for path in site.folder.parent.rglob("*") if site.folder not in path.parents}
    answer = client.post(f"/runs/{run.record.id}/suite?family=negation", data={"name": name})
    assert answer.status_code in (200, 422)
    assert {path for path in site.folder.parent.rglob("*") if site.folder not in path.parents} == before


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path, run: RunOverview) -> None:
    """Neither a folder that is a link, nor a file: of runs, and of anything that is found by the name of a file."""
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    for folder in (outside, inside / "linked", inside / "corpora"):
        folder.mkdir(parents=True)
    (outside / "secret.jsonl").write_text("{}")
    (inside / "run").symlink_to(run.folder)
    (inside / "linked" / "record.json").symlink_to(run.folder / "record.json")
    (inside / "corpora" / "secret.jsonl").symlink_to(outside / "secret.jsonl")
    assert Site(inside).runs.all() == []
    assert corpora_of(inside) == {}
    (inside / "corpora" / "secret.jsonl").unlink()
    (inside / "corpora").rmdir()
    (inside / "corpora").symlink_to(outside)
    assert corpora_of(inside) == {}


@pytest.mark.parametrize(
    ("link", "path", "form"),
    [
        ("suites", "/runs/RUN/suite?family=negation", {"name": "mine"}),
        ("slices.json", "/runs/RUN/slices?family=negation", {"name": "mine"}),
        ("RUN/notes.json", "/runs/RUN/notes", {"name": "mine"}),
        ("corpora", "/start/paste", {"text": "premise,hypothesis,label\na,b,neutral\n"}),
        ("my-pairs.jsonl", "/try", {"premise": "a", "hypothesis": "b", "label": "neutral", "do": "keep"}),
        ("suites", "/try", {"premise": "a", "hypothesis": "b", "label": "neutral", "do": "keep"}),
        (
            "annotations",
            "/annotate/new",
            {"name": "mine", "source": "corpus:bundled", "size": "3", "people": "eve"},
        ),
    ],
)
def test_nothing_is_written_where_a_link_leads_out_of_the_folder(
    tmp_path: Path, run: RunOverview, link: str, path: str, form: dict[str, str]
) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    shutil.copytree(run.folder, inside / run.folder.name)
    link = link.replace("RUN", run.record.id)
    (inside / link).symlink_to(outside / Path(link).name if "." in link else outside)
    site = Site(inside, port=80)
    owner = site.access.admit(TOKEN, "owner", Role.OWNER)
    browser = TestClient(
        make_application(site, hosts={HOST}), cookies={site.cookie: owner.session}, headers={"x-csrf": owner.csrf}
    )
    answer = browser.post(path.replace("RUN", run.record.id), data=form)
    assert [*outside.iterdir()] == []
    assert answer.status_code == 422
    assert "a link leads out of it" in answer.text


def test_only_models_named_at_the_start_are_asked(client: TestClient, tmp_path: Path) -> None:
    pair = {"premise": "It rains.", "hypothesis": "It is wet."}
    program = f"cmd:touch {tmp_path / 'ran'}"
    assert client.post("/api/ask", json={**pair, "models": [program]}).status_code == 403
    assert client.post("/try", data={**pair, f"model:{program}": "1"}).status_code == 200
    assert not (tmp_path / "ran").exists()
    assert client.post("/api/ask", json={**pair, "models": ["assay:overlap"]}).status_code == 200


def test_other_machines_need_a_token_of_your_own(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--token-file"):
        serve(tmp_path, ServeOptions(host="0.0.0.0", port=0), ready=lambda _: pytest.fail("it would listen"))


def test_names_of_this_machine() -> None:
    assert "evil.example:80" not in allowed_hosts("192.0.2.1", 80)
    assert {"192.0.2.1:80", "lab:80"} <= allowed_hosts("192.0.2.1", 80, ["lab"])


def test_an_error_of_ours_is_told_without_its_address(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, site: Site
) -> None:
    monkeypatch.setattr(site.runs, "all", lambda: 1 / 0)
    with caplog.at_level(logging.DEBUG):
        answer = client.get("/?x=secret-in-the-address")
    assert answer.status_code == 500
    assert "ZeroDivisionError" not in answer.text
    told = [each.getMessage() for each in caplog.records if each.name.startswith("assay")]
    assert "ZeroDivisionError" in "".join(told)
    assert "secret-in-the-address" not in "".join(told)


def test_the_server_listens_on_this_machine_only_and_logs_no_token(tmp_path: Path, served: Path) -> None:
    command = [str(Path(sys.executable).with_name("assay")), "serve", str(served), "--port", "0"]
    with (tmp_path / "err").open("wb") as err:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            token, port = address.partition("token=")[2], int(re.findall(r":(\d+)/", address)[0])
            assert address.startswith("http://127.0.0.1:")
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            assert browser.open(address).status == 200
            with pytest.raises(urllib.error.HTTPError):
                browser.open(f"http://127.0.0.1:{port}/nothing?token={token}")
            assert not _listens_elsewhere(port)
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(30)
        left = server.communicate()[0]
    assert token not in left
    assert token not in (tmp_path / "err").read_text()


def _listens_elsewhere(port: int) -> bool:
    """Whether something listens on an address of this machine that others can reach."""
    own = {each[4][0] for each in socket.getaddrinfo(socket.gethostname(), None, family=socket.AF_INET)}
    for address in own - {each for each in own if str(each).startswith("127.")}:
        try:
            socket.create_connection((str(address), port), timeout=2).close()
        except OSError:
            continue
        return True
    return False
