"""The command line as a user meets it: help, errors, exit codes, and what goes where."""

import errno
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete
from tests.conftest import Assay

from assay.cli import list_, main
from assay.cli.main import VERBS
from assay.core.errors import UserError
from assay.version import __version__

PROGRAM = Path(sys.executable).with_name("assay")
ESCAPE = "\x1b"
FITS = 100
BASELINES = ("assay:majority", "assay:hypothesis-words", "assay:overlap", "assay:subsequence")
TINY = ("--family", "negation", "--model", "assay:overlap")
"""A bench that is there at once, where it does not matter what is on it."""
LONG = "x" * 300
"""No file may have such a name."""


def pairs_file(folder: Path, *rows: dict[str, Any], name: str = "pairs.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def rows(count: int = 3) -> list[dict[str, Any]]:
    labels = ("entailment", "neutral", "contradiction")
    return [
        {"id": f"p{i}", "premise": f"Ann has {i} cats.", "hypothesis": "Ann has a pet.", "label": labels[i % 3]}
        for i in range(count)
    ]


def names(record: Any) -> list[str]:
    """The transforms that a run was asked for."""
    return [recipe["transform"] for recipe in record["spec"]["suites"]["stress"]["recipes"]]


class TestHelp:
    @pytest.mark.parametrize("words", [(), *((verb,) for verb in VERBS)])
    def test_every_verb_explains_itself(self, assay: Assay, words: tuple[str, ...]) -> None:
        done = assay(*words, "--help")
        assert done.stdout.startswith("Usage: assay " + " ".join(words))
        assert re.match("  [A-Z].+[.]", done.stdout.split("\n\n")[1], re.DOTALL)
        assert not done.stderr
        assert max(map(len, done.stdout.splitlines())) <= FITS

    def test_the_help_names_every_verb(self, assay: Assay) -> None:
        shown = assay("-h").stdout
        for verb, what in VERBS.items():
            assert re.search(rf"^  {verb} +{re.escape(what)}$", shown, re.MULTILINE)

    @pytest.mark.parametrize("verb", VERBS)
    def test_every_help_ends_with_two_examples_that_parse(self, assay: Assay, verb: str) -> None:
        examples = [line.strip() for line in assay(verb, "--help").stdout.partition("Examples:\n")[2].splitlines()]
        assert len(examples) == 2
        for example in examples:
            _, name, *words = shlex.split(example)
            context = click.Context(main.assay, **main.assay.context_settings)
            command = main.assay.get_command(context, name)
            while isinstance(command, click.Group):
                command = command.get_command(context, words.pop(0))
            assert command is not None, example
            left = command.make_parser(click.Context(command, parent=context)).parse_args(words)[1]
            assert not left, example

    def test_the_version(self, assay: Assay) -> None:
        assert assay("--version").stdout == f"assay, version {__version__}\n"

    def test_as_a_module(self, tmp_path: Path) -> None:
        done = subprocess.run([sys.executable, "-m", "assay", "--version"], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, f"assay, version {__version__}\n")


class TestErrors:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["rnu"], "No verb 'rnu'; did you mean 'run'?"),
            (["build", "negatoin", "--out", "s"], "'negatoin'; did you mean 'negation'?"),
            (["run", "--family", "wordoverlap"], "'wordoverlap'; did you mean 'word-overlap'?"),
            (["run", "--model", "assay:majorty"], "'majorty'; did you mean 'majority'?"),
            (["run", "--model", "majority"], "'assay:majority'"),
            (["run", "--input-format", "snil"], "'snil'; did you mean 'snli'?"),
            (["study", "mitgate"], "Did you mean 'mitigate'?"),
            (["run", "--famly", "x"], "'--family'"),
            (["list", "familes"], "'families'"),
            (["export", "s", "--to", "snil"], "'snli'"),
            (["run", "--limit", "0"], "0 is not in the range x>=1"),
            (["run", "--workers", "none"], "'none' is not a valid integer"),
            (["run", "--from", "nowhere.jsonl"], "nowhere.jsonl: no such file"),
            (["run", "--labels", "a"], "key=value,key=value"),
            (["run", "--columns", "premise=a,premise=b"], "'premise' is given twice"),
            (["run", "--columns", "premise=a", "--columns", "premise=b"], "'premise' is given twice"),
            (["run", "--labels", "a=neutral", "--labels", "b"], "key=value,key=value"),
            (["run", "--family", "negation", "--family", "negation/v1"], "The family 'negation/v1' is given twice."),
            (["build", "negation", "negation", "--out", "s"], "The family 'negation/v1' is given twice."),
            (["verify", "nowhere"], "'nowhere' does not exist"),
            (["score", "bundled", "nowhere.csv"], "nowhere.csv: no such file"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_wrong_input_is_2_and_says_the_way_out(
        self, assay: Assay, tmp_path: Path, words: list[str], said: str
    ) -> None:
        done = assay(*words, code=2)
        assert said in done.stderr
        assert "Traceback" not in done.stderr
        assert not done.stdout
        assert not list(tmp_path.rglob("*.json*")), "nothing is left behind"

    def test_debug_shows_the_traceback(self, program: Assay) -> None:
        done = program("run", "--from", "nowhere.jsonl", "--debug", code=2)
        assert "Traceback (most recent call last)" in done.stderr
        assert "BadInputError: nowhere.jsonl: no such file" in done.stderr

    def test_a_failed_check_is_1(self, assay: Assay, program: Assay, tmp_path: Path) -> None:
        assay("build", "negation", "--out", "s", "--limit", 3)
        assert assay("verify", "s").stderr == (
            "s is complete and undamaged; labels: 3 verified.\n"
            "  verified: under the assumptions of each family; where an edit keeps the label, "
            "that of the source is trusted.\n"
        )
        with (tmp_path / "s" / "cases.jsonl").open("a") as file:
            file.write("{}\n")
        done = program("verify", "s", code=1)
        assert "cases.jsonl:4: not a case" in done.stderr
        assert "Traceback" not in done.stderr

    def test_something_outside_is_3(self, program: Assay, tmp_path: Path) -> None:
        (tmp_path / "taken").write_text("a file, no folder")
        done = program("build", "negation", "--out", "taken/suite", "--limit", 3, code=3)
        assert "Can't write taken/suite" in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize(
        "words",
        [
            ("build", "negation", "--limit", 3, "--out", LONG),
            ("run", "--limit", 3, "--family", "negation", "--out", LONG),
            ("train", "cbow", "--from", "bundled", "--dev", "bundled", "--vectors", "v", "--out", LONG),
            ("annotate", "sample", "bundled", "--out", LONG),
            ("show", LONG),
        ],
    )
    def test_a_name_that_is_too_long_is_said_so(self, assay: Assay, words: tuple[object, ...]) -> None:
        said = assay(*words, code=3).stderr
        assert "File name too long" in said
        assert "Unexpected error" not in said

    def test_an_error_of_ours_is_3_and_offers_debug(self, assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
        def broken(**_: object) -> None:
            raise ZeroDivisionError("oh")

        monkeypatch.setattr(list_.command, "callback", broken)
        done = assay("list", "models", code=3)
        assert done.stderr.startswith("Error: Unexpected error in Assay: ZeroDivisionError: oh\n")
        assert "--debug" in done.stderr
        assert "Traceback" not in done.stderr

    @pytest.mark.parametrize(
        "error",
        [MemoryError(), OSError(errno.ENOMEM, "Cannot allocate memory"), RuntimeError("can't start new thread")],
    )
    def test_too_little_memory_is_3_and_says_what_helps(
        self, assay: Assay, monkeypatch: pytest.MonkeyPatch, error: Exception
    ) -> None:
        def broken(**_: object) -> None:
            raise UserError("the model failed") from error

        monkeypatch.setattr(list_.command, "callback", broken)
        done = assay("list", "models", code=3)
        assert done.stderr.startswith("Error: There is not enough memory.\n  Use fewer --workers")

    def test_a_plugin_that_leaves_is_not_taken_for_success(self, assay: Assay, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(list_.command, "callback", lambda **_: sys.exit(7))
        assay("list", "models", code=7)

    def test_hostile_text_in_an_error_is_shown_not_obeyed(self, assay: Assay, tmp_path: Path) -> None:
        row = rows(1)[0]
        path = pairs_file(tmp_path, row, {**row, "label": "\x1b]0;owned\x07\u202eevil"}, name="x\x1b[31m.jsonl")
        done = assay("run", "--from", path, code=2)
        assert "x\\x1b[31m.jsonl:2: unknown label" in done.stderr
        assert not re.search("[\x1b\x07\u202e]", done.stderr)

    @pytest.mark.parametrize("file", ["manifest.json", "cases.jsonl"])
    def test_a_suite_that_is_nested_too_deeply_is_damaged(self, assay: Assay, tmp_path: Path, file: str) -> None:
        assay("build", "negation", "--out", "s", "--limit", 3)
        deep = f'{{"schema": 1, "more": {"[" * 99_999}{"]" * 99_999}}}\n'
        (tmp_path / "s" / file).write_text(deep)
        for words, code in ((("verify", "s"), 1), (("export", "s", "--to", "csv"), 2), (("run", "--suite", "s"), 2)):
            said = assay(*words, code=code).stderr
            assert file in said or "was changed" in said
            assert "Unexpected error" not in said


class TestOutput:
    def test_json_is_pure_and_the_rest_is_on_standard_error(self, assay: Assay, tmp_path: Path) -> None:
        corpus = pairs_file(tmp_path, *rows(), {"id": "p3", "premise": "A.", "hypothesis": "B.", "label": "-"})
        run = assay("run", "--from", corpus, "--json", *TINY)
        record = json.loads(run.stdout)
        assert record.pop("published") == []  # nothing is published for this corpus
        assert {row["slice"]["family"] for row in record.pop("related")} >= {"original", "negation"}
        folder = f"runs/{record['id']}"
        assert run.stderr == f"The run is stored in {folder}\nIts report is {folder}/report.html\n"
        assert record == json.loads((tmp_path / "runs" / record["id"] / "record.json").read_text())

        build = assay("build", "all", "--from", corpus, "--out", "s", "--json")
        assert build.stderr == "The suite is in s\n"
        assert json.loads(build.stdout) == json.loads((tmp_path / "s" / "manifest.json").read_text())

        verify = assay("verify", "s", "--json")
        found = json.loads(verify.stdout)
        assert (found["suite"], found["damages"], verify.stderr) == ("s", [], "")
        assert sum(found["labels"].values()) == json.loads(build.stdout)["cases"]
        (tmp_path / "s" / "cases.jsonl").write_text("")
        damaged = assay("verify", "s", "--json", code=1)
        assert len(json.loads(damaged.stdout)["damages"]) >= 3
        assert "s is damaged:" in damaged.stderr

        answers = pairs_file(tmp_path, *({"id": f"p{i}", "prediction": "neutral"} for i in range(5)), name="a.jsonl")
        score = assay("score", corpus, answers, "--json")
        assert score.stderr == "2 answers belong to no case here.\n"
        assert json.loads(score.stdout)["answered"] == 3

        inspected = assay("show", corpus, "--json")
        assert not inspected.stderr
        found = json.loads(inspected.stdout)
        assert (found["rows"], found["pairs"], found["skipped"]) == (4, 3, {"no gold label": 1})

    @pytest.mark.parametrize("kind", ["families", "transforms", "models", "formats", "corpora", "runs"])
    def test_lists_are_tables_and_json(self, assay: Assay, kind: str) -> None:
        if kind == "runs":
            assert assay("list", kind).stderr == "No runs in runs.\n"
            assert assay("list", kind, "--json").stdout == "[]\n"
            assay("run", "--limit", 3, "--quiet", *TINY)
        listed = json.loads(assay("list", kind, "--json").stdout)
        shown = assay("list", kind).stdout
        assert listed
        heading = shown.split()[0]
        for row in listed:
            assert row[heading] in shown
        assert max(map(len, shown.splitlines())) <= FITS

    def test_a_list_says_what_things_are(self, assay: Assay) -> None:
        families = {row["family"]: row for row in json.loads(assay("list", "families", "--json").stdout)}
        assert families["negation"]["example"].endswith("and false is not true. (entailment)")
        assert families["swap"]["example"].endswith("(entailment should drop)")
        formats = {row["name"]: row for row in json.loads(assay("list", "formats", "--json").stdout)}
        assert formats["hans/v1"] == {"name": "hans/v1", "what_it_is": "HANS, txt and jsonl", "from": "nli-assay"}

    def test_quiet_shows_results_only(self, assay: Assay) -> None:
        assert not assay("run", "--quiet", "--limit", 3, *TINY).stderr
        done = assay("build", "negation", "--limit", 3, "--out", "s", "--quiet")
        assert "negation" in done.stdout
        assert not done.stderr
        done = assay("export", "s", "--to", "csv", "--quiet")
        assert (done.stdout, done.stderr) == ("", "")
        assert "already exists" in assay("build", "negation", "--out", "s", "--quiet", code=2).stderr

    def test_without_a_terminal_there_is_no_colour_and_nothing_is_cut(self, program: Assay) -> None:
        models = [word for name in BASELINES for word in ("--model", name)]
        done = program("run", "--limit", 90, "--family", "word-overlap", *models)
        assert ESCAPE not in done.stdout + done.stderr
        assert max(map(len, done.stdout.splitlines())) <= FITS
        assert "…" not in done.stdout
        for word in ("hypothesis-words", "word-overlap", "entailment", "neutral", "contradiction", "cases"):
            assert word in done.stdout

    @pytest.mark.parametrize(("more", "coloured"), [({"FORCE_COLOR": "1"}, True), ({"NO_COLOR": "1"}, False)])
    def test_colour_is_for_those_who_want_it(self, tmp_path: Path, more: dict[str, str], coloured: bool) -> None:
        clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
        code = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)"
        command = [sys.executable, "-c", code, str(PROGRAM), "run", "--from", "nowhere"]
        done = subprocess.run(
            command, env={**clean, "TERM": "xterm", **more}, cwd=tmp_path, capture_output=True, text=True
        )
        assert "no such file" in done.stdout
        assert (f"{ESCAPE}[31m" in done.stdout) is coloured

    def test_a_reader_that_goes_away_is_no_error(self, tmp_path: Path) -> None:
        corpus = pairs_file(tmp_path, *rows(900))
        answers = pairs_file(
            tmp_path, *({"id": f"p{i}", "prediction": "neutral"} for i in range(900)), name="answers.jsonl"
        )
        for words in (["score", corpus, answers, "--json"], ["list", "families"], ["--help"]):
            process = subprocess.Popen(
                [PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
            )
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            with process.stderr:
                complaint = process.stderr.read()
            assert (process.wait(600), complaint) == (0, "")

    def test_output_that_knows_only_ascii(self, tmp_path: Path) -> None:
        corpus = pairs_file(tmp_path, {"id": "é", "premise": "Zoë sat.", "hypothesis": "She sat.", "label": "neutral"})
        done = subprocess.run(
            [PROGRAM, "show", corpus],
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert "Zo\\xeb sat." in done.stdout


def test_an_interruption_says_how_to_go_on(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [PROGRAM, "build", "negation", "--from", "-", "--out", "s", "--workers", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    try:
        assert process.stdin is not None
        for row in rows(1001):
            process.stdin.write(json.dumps(row) + "\n")
        process.stdin.flush()
        while process.poll() is None and not list(tmp_path.rglob("*.part")):
            time.sleep(0.01)  # it has not begun yet
        process.send_signal(signal.SIGINT)
        out, complaint = process.communicate(timeout=600)
    finally:
        process.kill()
    assert process.returncode == 130
    assert not out
    assert complaint.strip().startswith("Error: Stopped.")
    assert "Repeat the same command to resume" in complaint
    assert "Traceback" not in complaint
    assert not (tmp_path / "s").exists()


class TestOptions:
    def test_limit_and_seed_are_in_the_record(self, assay: Assay) -> None:
        record = json.loads(assay("run", "--limit", 4, "--seed", 7, "--json", *TINY).stdout)
        assert record["spec"]["suites"]["stress"]["reading"]["limit"] == 4
        assert record["spec"]["seed"] == record["suites"]["stress"]["seed"] == 7
        assert record["suites"]["stress"]["source"]["rows"] == 4
        assert names(record) == ["original/v1", "negation/v1"]

    def test_workers_change_nothing(self, assay: Assay, tmp_path: Path) -> None:
        for count in (1, 3):
            assay("build", "negation", "--out", f"s{count}", "--workers", count)
        one, three = (tmp_path / f"s{count}" / "cases.jsonl" for count in (1, 3))
        assert one.read_bytes() == three.read_bytes()

    def test_overwrite_replaces_and_nothing_else_does(self, assay: Assay, tmp_path: Path) -> None:
        assay("build", "negation", "--out", "s", "--limit", 3)
        assert "--overwrite" in assay("build", "word-overlap", "--out", "s", "--limit", 3, code=2).stderr
        assert "negation" in (tmp_path / "s" / "cases.jsonl").read_text()
        assay("build", "word-overlap", "--out", "s", "--limit", 3, "--overwrite")
        assert "negation" not in (tmp_path / "s" / "cases.jsonl").read_text()
        assay("verify", "s")

    def test_overwrite_spares_a_folder_of_somebody_else(self, assay: Assay, tmp_path: Path) -> None:
        extension = tmp_path / "extension"
        extension.mkdir()
        (extension / "manifest.json").write_text('{"manifest_version": 3, "name": "An extension", "version": "1"}')
        said = assay("build", "negation", "--limit", 3, "--out", "extension", "--overwrite", code=2).stderr
        assert "extension is not a suite that Assay made" in said
        assert [path.name for path in tmp_path.rglob("*")] == ["extension", "manifest.json"]

    def test_overwrite_follows_a_link(self, assay: Assay, tmp_path: Path) -> None:
        assay("build", "negation", "--out", "real", "--limit", 3)
        (tmp_path / "link").symlink_to("real")
        assay("build", "word-overlap", "--out", "link", "--limit", 3, "--overwrite")
        assert (tmp_path / "link").is_symlink()
        assert "word-overlap" in (tmp_path / "real" / "cases.jsonl").read_text()
        assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]

    def test_a_broken_record_stops_or_is_reported(self, assay: Assay, tmp_path: Path) -> None:
        corpus = pairs_file(tmp_path, *rows())
        with corpus.open("a") as file:
            file.write("no JSON\n")
        stopped = assay("build", "negation", "--from", corpus, "--out", "s", code=2)
        assert "pairs.jsonl:4: not JSON" in stopped.stderr
        assert "--on-error skip" in stopped.stderr
        assert not (tmp_path / "s").exists()
        built = assay("build", "negation", "--from", corpus, "--out", "s", "--on-error", "skip")
        assert "1 broken records were skipped; they are listed in s/problems.jsonl" in built.stderr
        assert "skipped: 1 of 4 records: not JSON" in built.stdout
        assert "pairs.jsonl:4" in (tmp_path / "s" / "problems.jsonl").read_text()
        ran = assay("run", "--from", corpus, "--on-error", "skip", *TINY)
        assert "suites/stress/problems.jsonl" in ran.stderr

    @pytest.mark.parametrize(
        ("words", "file"),
        [
            ((), "cases.jsonl"),
            (("--storage", "jsonl.zst"), "cases.jsonl.zst"),
            (("--storage", "parquet"), "cases.parquet"),
        ],
    )
    def test_storage(self, assay: Assay, tmp_path: Path, words: tuple[str, ...], file: str) -> None:
        assay("build", "negation", "--out", "s", "--limit", 3, *words)
        assert sorted(path.name for path in (tmp_path / "s").iterdir()) == sorted(["manifest.json", file])
        assay("verify", "s")

    def test_all_is_every_family(self, assay: Assay) -> None:
        known = {row["family"] for row in json.loads(assay("list", "families", "--json").stdout)}
        built = json.loads(assay("build", "all", "--limit", 3, "--out", "s", "--json").stdout)
        generated = {"scope", "monotonicity", "conjunction", "quantifiers", "comparatives", "conditionals"}
        asked_for = {
            "heuristics",
            "burial",
            "quantities",
            "roles",
            "denial",
            "foreign",
            *generated,
        }  # made only if they are named
        assert set(built["counts"]) == known - asked_for >= {"original", "negation", "antonymy"}
        ran = json.loads(assay("run", "--family", "all", "--limit", 3, "--json", "--model", "assay:overlap").stdout)
        assert set(ran["suites"]["stress"]["counts"]) == known - asked_for
        assert names(ran)[0] == "original/v1"

    def test_suites_alone_or_beside_a_corpus(self, assay: Assay) -> None:
        assay("build", "original", "negation", "--limit", 3, "--out", "mine")
        alone = json.loads(assay("run", "--suite", "mine", "--json", "--model", "assay:overlap").stdout)
        assert list(alone["suites"]) == ["mine"]
        both = json.loads(assay("run", "--suite", "m=mine", "--limit", 3, "--json", *TINY).stdout)
        assert list(both["suites"]) == ["m", "stress"]
        assert "--limit applies to a corpus" in assay("run", "--suite", "mine", "--limit", 3, code=2).stderr

    def test_the_original_pairs_can_be_all_there_is(self, assay: Assay) -> None:
        ran = json.loads(
            assay("run", "--family", "original", "--limit", 3, "--json", "--model", "assay:overlap").stdout
        )
        assert names(ran) == ["original/v1"]

    def test_standard_input(self, assay: Assay) -> None:
        text = "".join(json.dumps(row) + "\n" for row in rows())
        assert "p2" in assay("show", "-", stdin=text).stdout


class TestConfiguration:
    def test_every_option_and_the_command_line_wins(self, assay: Assay, tmp_path: Path) -> None:
        (tmp_path / "claims.csv").write_text(
            "evidence,claim,verdict,number\nIt rains.,It is wet.,yes,1\nIt rains.,It is dry.,no,2\nbroken\n"
        )
        (tmp_path / "c.yaml").write_text(
            "from: claims.csv\n"
            "family: [negation, word-overlap]\n"
            "model:\n- assay:majority\n- assay:overlap\n"
            "columns: {premise: evidence, hypothesis: claim, label: verdict, id: number}\n"
            "labels:\n  yes: entailment\n  no: contradiction\n  2: neutral\n"
            "input-format: pairs\nencoding: utf-8\non-error: skip\nseed: 5\nlimit: 2\nworkers: 2\nout: there\n"
            "json: true\nquiet: yes\n"
        )
        done = assay("run", "--config", "c.yaml", "--seed", 6, "--model", "assay:majority")
        record = json.loads(done.stdout)
        assert not done.stderr
        assert record["spec"] == {
            "suites": {
                "stress": {
                    "kind": "corpus",
                    "reading": {
                        "source": "claims.csv",
                        "input_format": "pairs",
                        "columns": {"hypothesis": "claim", "id": "number", "label": "verdict", "premise": "evidence"},
                        "labels": {"2": "neutral", "no": "contradiction", "yes": "entailment"},
                        "encoding": "utf-8",
                        "on_error": "skip",
                        "limit": 2,
                    },
                    "recipes": [
                        {"transform": f"{name}/v1", "seed": 6} for name in ("original", "negation", "word-overlap")
                    ],
                }
            },
            "models": ["assay:majority/v1"],
            "seed": 6,
            "truncate": "premise",
            "windows": "",
            "collapse": "argmax",
            "two_way": None,
        }
        assert (tmp_path / "there" / record["id"]).is_dir()

    def test_one_value_where_several_may_stand(self, assay: Assay, tmp_path: Path) -> None:
        (tmp_path / "c.yaml").write_text("family: negation\nmodel: assay:overlap\nlimit: 3\njson: true\n")
        record = json.loads(assay("run", "--config", "c.yaml").stdout)
        assert names(record) == ["original/v1", "negation/v1"]
        assert record["spec"]["models"] == ["assay:overlap/v1"]

    def test_families_and_models_have_either_name_in_every_verb(self, assay: Assay, tmp_path: Path) -> None:
        (tmp_path / "c.yaml").write_text("families: [negation]\nmodels: assay:overlap\nlimit: 3\njson: true\n")
        record = json.loads(assay("run", "--config", "c.yaml").stdout)
        assert names(record) == ["original/v1", "negation/v1"]
        (tmp_path / "b.yaml").write_text("family: negation\nlimit: 3\nout: s\n")
        assay("build", "--config", "b.yaml")
        (tmp_path / "d.yaml").write_text("family: negation\nfamilies: [negation]\nlimit: 3\nout: s\n")
        assert "'families' and 'family' are the same setting" in assay("build", "--config", "d.yaml", code=2).stderr

    def test_switches_are_a_mapping(self, assay: Assay, tmp_path: Path) -> None:
        (tmp_path / "c.yaml").write_text("families: negation\nset: {times: 2, fidelity: paper}\nlimit: 3\nout: s\n")
        assay("build", "--config", "c.yaml")
        manifest = json.loads((tmp_path / "s" / "manifest.json").read_text())
        assert manifest["recipes"][0]["options"] == {"times": 2, "fidelity": "paper"}

    def test_arguments_and_flags(self, assay: Assay, tmp_path: Path) -> None:
        (tmp_path / "c.yaml").write_text(
            "families: [negation]\nlimit: 3\nout: s\nstorage: jsonl.zst\noverwrite: false\ncolumns: premise=premise\n"
        )
        assay("build", "--config", "c.yaml")
        assert (tmp_path / "s" / "cases.jsonl.zst").is_file()
        assert "already exists" in assay("build", "--config", "c.yaml", code=2).stderr
        (tmp_path / "e.yaml").write_text("suite: s\nto: csv\nout: e.csv\n")
        assay("export", "--config", "e.yaml")
        assert (tmp_path / "e.csv").is_file()

    def test_an_empty_one_sets_nothing(self, assay: Assay, tmp_path: Path) -> None:
        (tmp_path / "c.yaml").write_text("# nothing yet\n")
        assert "3 bundled pairs" in assay("run", "--config", "c.yaml", "--limit", 3, *TINY).stdout

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("famly: negation\n", "c.yaml: unknown setting 'famly'; did you mean 'family'?"),
            ("debug: true\n", "c.yaml: unknown setting 'debug'"),
            ("seed: [\n", "c.yaml:2: not YAML"),
            ("seed: 1\n bad: x\n", "c.yaml:2: not YAML"),
            ("- negation\n", "c.yaml: a configuration must map options to values"),
            ("just text\n", "c.yaml: a configuration must map options to values"),
            ("limit: 1.5\n", "'1.5' is not a valid integer"),
            ("limit: [1, 2]\n", "c.yaml: limit: needs one value"),
            ("limit:\n", "c.yaml: limit: needs one value"),
            ("family: {a: b}\n", "c.yaml: family: needs a value or a list of values"),
            ("on-error: maybe\n", "'maybe' is not one of"),
            ("quiet: perhaps\n", "'perhaps' is not a valid boolean"),
            ("labels: {yes: maybe}\n", "--labels yes=maybe: 'maybe' is not a label"),
            (
                "labels: &a {yes: neutral}\nset: {b: [*a, *a]}\n",
                "c.yaml: line 2 has the alias *a\n  Write the value out",
            ),
            ("set: &a {b: *a}\n", "c.yaml: line 1 has the alias *a"),
            pytest.param(f"family: {'[' * 2000}{']' * 2000}", "c.yaml: nested too deeply", id="nested lists"),
            pytest.param(f"set: {'{a: ' * 2000}b{'}' * 2000}", "c.yaml: nested too deeply", id="nested mappings"),
        ],
        ids=lambda value: value.strip()[:40] if value.endswith("\n") else "",
    )
    def test_wrong_settings(self, assay: Assay, tmp_path: Path, text: str, said: str) -> None:
        (tmp_path / "c.yaml").write_text(text)
        done = assay("run", "--config", "c.yaml", code=2)
        assert said in done.stderr
        assert "Traceback" not in done.stderr
        assert not (tmp_path / "runs").exists()

    def test_a_configuration_that_is_not_text(self, assay: Assay, tmp_path: Path) -> None:
        (tmp_path / "c.yaml").write_bytes(b"seed: \xff\n")
        assert "c.yaml: not a readable YAML file" in assay("run", "--config", "c.yaml", code=2).stderr
        assert "'d.yaml' does not exist" in assay("run", "--config", "d.yaml", code=2).stderr


class TestCompletion:
    @pytest.mark.parametrize(
        ("words", "found"),
        [
            ("build spelling:k", ["spelling:keyboard"]),
            ("build neg", ["negation"]),
            ("build al", ["all"]),
            ("run --family length", ["length-mismatch"]),
            ("run --model assay:maj", ["assay:majority/v1"]),
        ],
    )
    def test_families_and_models_are_completed(self, words: str, found: list[str]) -> None:
        *before, last = words.split()
        items = ShellComplete(main.assay, {}, "assay", "_ASSAY_COMPLETE").get_completions(before, last)
        assert [item.value for item in items] == found

    @pytest.mark.parametrize(
        ("words", "offered"),
        [
            ("assay ", set(VERBS)),
            ("assay ve", {"verify"}),
            ("assay run --w", {"--workers"}),
            ("assay export s --to ", {"snli", "mnli", "hans", "glue", "csv", "parquet", "hf"}),
            ("assay study d", {"data-map"}),
        ],
    )
    def test_words_are_completed(self, words: str, offered: set[str]) -> None:
        done = subprocess.run(
            [PROGRAM],
            env={
                **os.environ,
                "_ASSAY_COMPLETE": "bash_complete",
                "COMP_WORDS": words,
                "COMP_CWORD": str(len(words.split(" ")) - 1),
            },
            capture_output=True,
            text=True,
        )
        assert {line.partition(",")[2] for line in done.stdout.splitlines()} >= offered


class TestOptionsWithoutMeaning:
    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ("negation --per-subcase 5", "--per-subcase is only for generated pairs"),
            ("negation --set split=training", "--set split is only for generated pairs"),
            ("heuristics --from bundled --per-subcase 5", "--per-subcase is only for generated pairs"),
            ("heuristics negation", "build them separately"),
            ("heuristics --ladder 2", "None of these families has a strength"),
            ("heuristics --limit 2", "--limit applies to families that are built from a corpus"),
            ("heuristics --set typos=2", "No switch 'typos' in these families"),
            ("antonymy --ladder 2", "None of these families has a strength"),
            ("negation --set times=3 --ladder 2", "leave out --times"),
            ("negation --set typos=2", "typos is a switch of spelling"),
        ],
    )
    def test_they_are_refused(self, assay: Assay, tmp_path: Path, given: str, said: str) -> None:
        assert said in assay("build", *given.split(), "--out", "s", code=2).stderr
        assert not (tmp_path / "s").exists()


def test_a_stored_run_is_shown_again(assay: Assay) -> None:
    first = assay("run", "--limit", 60, "--family", "negation", "--model", "assay:hypothesis-words")
    (folder,) = Path("runs").iterdir()
    assert assay("show", folder).stdout == first.stdout
    shown = assay("show", folder, "--table", "confusion", "--table", "calibration", "--table", "swap").stdout
    names = ("confusion", "calibration", "swap")
    assert [line for line in shown.splitlines() if line in names] == list(names)
    assert "Brier" in shown
    assert "not measured" in shown  # nothing was swapped
    assert "not measured" in assay("show", folder, "--table", "published").stdout  # on the bundled corpus
    assert "naik2018 3" in assay("show", folder, "--table", "related").stdout
    found = json.loads(assay("show", folder, "--json").stdout)
    assert {"estimates", "published", "related"} <= set(found)
    assert "not a run" in assay("show", "nowhere", code=2).stderr


def test_a_build_limits_word_pairs_and_shows_how_far_the_surface_gets(assay: Assay, tmp_path: Path) -> None:
    cities = ("Rome", "Bonn", "Oslo", "Lima", "Kiev", "Bern", "Prague")
    rows = [f"The soup in {city} was hot.,Nothing.,neutral" for city in cities]
    (tmp_path / "pairs.csv").write_text("\n".join(["premise,hypothesis,label", *rows]))
    done = assay("build", "antonymy", "--from", "pairs.csv", "--set", "per_word_pair=3", "--out", "s")
    manifest = json.loads((tmp_path / "s" / "manifest.json").read_text())
    assert manifest["cases"] == 3
    assert manifest["recipes"] == [{"transform": "antonymy/v1", "options": {"per_word_pair": 3}, "seed": 0}]
    assert manifest["shortcuts"]["antonymy"]["n"] == 3
    assert "4 its word pair or premise has enough cases" in done.stdout
    assert "% right from the surface" in done.stdout
    refused = assay("build", "negation", "--from", "pairs.csv", "--set", "per_word_pair=3", "--out", "t", code=2)
    assert "per_word_pair is a switch of antonymy, lexical" in refused.stderr
