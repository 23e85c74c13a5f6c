"""cmd: on programs that are written on the spot, good ones and bad ones."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import case

from assay.core.errors import ModelError, PartialAnswersError, UserError
from assay.core.label import Label
from assay.models.adapters.cmd import Command, Program

CASES = [case(number, premise=f"Premise {number} à midi.", hypothesis="x" * number) for number in range(20)]

Write = Callable[..., Program]

GOOD = 'print(json.dumps({"id": pair["id"], "label": "neutral" if pair["hypothesis"] else "entailment"}), flush=True)'


@pytest.fixture
def program(tmp_path: Path) -> Any:
    """Write a program around what it does with each pair, and open it."""
    opened: list[Program] = []

    def write(body: str, **options: Any) -> Program:
        path = tmp_path / "answer.py"
        path.write_text(
            "import json, os, sys, time\nfor number, line in enumerate(sys.stdin):\n    pair = json.loads(line)\n"
            + "".join(f"    {line}\n" for line in body.splitlines())
        )
        opened.append(Command(what=shlex.join([sys.executable, str(path)]), **options).open())
        return opened[-1]

    yield write
    for each in opened:
        each.close()


def test_one_process_answers_everything(program: Write) -> None:
    model = program(GOOD, batch=3)
    answers = model.predict(CASES)
    assert [answer.id for answer in answers] == [each.id for each in CASES]
    assert [answer.label for answer in answers] == [Label.ENTAILMENT] + [Label.NEUTRAL] * 19
    running = model._running
    assert running is not None
    model.predict(CASES)
    assert model._running is running
    model.close()
    assert running.process.poll() == 0


def test_answers_may_be_strings_or_probabilities(program: Write) -> None:
    answers = program('print(json.dumps("contradiction"), flush=True)').predict(CASES)
    assert {answer.label for answer in answers} == {Label.CONTRADICTION}
    body = 'print(json.dumps({"entailment": 0.25, "non-entailment": 0.75}), flush=True)'
    assert program(body).predict(CASES)[0].probabilities == {Label.ENTAILMENT: 0.25, Label.NON_ENTAILMENT: 0.75}


def test_more_than_a_pipe_holds(program: Write) -> None:
    long = [case(number, premise="word " * 4000) for number in range(60)]
    body = 'print(json.dumps({"label": "neutral", "why": "x" * 20000}), flush=True)'
    assert len(program(body).predict(long)) == 60


def test_a_program_that_reads_everything_first(program: Write) -> None:
    body = 'import atexit\natexit.register(print, json.dumps("neutral"))'
    with pytest.raises(ModelError, match=r"then nothing for 0\.5 s.\n.*keep=no"):
        program(body, timeout=0.5).predict(CASES)
    assert len(program(body, keep=False, batch=7).predict(CASES)) == 20


@pytest.mark.parametrize(
    ("body", "kept", "said"),
    [
        (f"{GOOD}\nif number == 4: sys.exit(7)", 5, "ended with code 7 after 5 of 20 answers"),
        (f'if number == 4: sys.exit("out of tokens")\n{GOOD}', 4, "after 4 of 20 answers.\n  out of tokens"),
        (f'if number == 3: print("garbage", flush=True)\n{GOOD}', 3, "not JSON: 'garbage'"),
        (f'if number == 2: pair["id"] = 5\n{GOOD}', 2, "out of order"),
        ('print(json.dumps({"label": "maybe"}), flush=True)', 0, "'maybe' is not a label"),
        ("print(json.dumps([1, 2]), flush=True)", 0, "an answer is a label, probabilities by label or a support score"),
        ('os.write(1, b"\\xff\\xfe\\n")', 0, "not JSON"),
        ("sys.exit(0)", 0, "ended with code 0 after 0 of 20 answers"),
        (f"if number == 6: os.kill(os.getpid(), 9)\n{GOOD}", 6, "ended with code -9 after 6 of 20 answers"),
        ('print(\'{"entailment": NaN, "neutral": 0.5}\', flush=True)', 0, "are not probabilities"),
        ('print(\'{"entailment": -0.5, "neutral": 1.5}\', flush=True)', 0, "are not probabilities"),
        ("print('{\"entailment\": Infinity}', flush=True)", 0, "are not probabilities"),
        ("print(9 * str(10**40), flush=True)", 0, "is not a support score"),
        ("print(400 * '9', flush=True)", 0, "is not a support score"),
        (
            f"{GOOD}\nif number == 1: os.write(1, b'x' * 70_000); time.sleep(9)",
            2,
            "an answer of more than 65,536 bytes",
        ),
    ],
)
def test_a_program_that_fails_half_way(program: Write, body: str, kept: int, said: str) -> None:
    model = program(body, batch=20)
    with pytest.raises(PartialAnswersError, match=said) as told:
        model.answer(model.ready([each_texts(each) for each in CASES]), width=1)
    assert len(told.value.answers) == kept
    assert model._running is None


def each_texts(each: Any) -> Any:
    from assay.core.protocols import Texts

    return Texts(each.premise, each.hypothesis)


def test_programs_that_are_none() -> None:
    with pytest.raises(UserError, match="can't be started: No such file"):
        Command(what="no-such-program-at-all").open().predict(CASES)
    with pytest.raises(UserError, match="No closing quotation"):
        Command(what="'half").open()


def test_identity_only_with_a_version() -> None:
    assert Command(what="cat").open().identity == ""
    assert Command(what="cat", version="1").open().identity != Command(what="cat", version="2").open().identity


@pytest.mark.parametrize("keep", [True, False])
def test_a_program_that_says_more_than_it_is_asked(program: Write, keep: bool) -> None:
    model = program('print(\'"neutral"\\n"entailment"\', flush=True)', keep=keep)
    with pytest.raises(ModelError, match="wrote more answers than there were pairs: '\"") as told:
        model.predict(CASES)
    assert not getattr(told.value, "answers", ())  # nobody can tell whose they are
    assert model._running is None


def test_a_program_that_ends_after_a_batch_is_found_by_the_next(program: Write) -> None:
    model = program(f"{GOOD}\nif number == 9: sys.exit(3)", batch=10)
    with pytest.raises(ModelError, match="ended with code 3 after 0 of 10 answers"):
        model.predict(CASES)


def test_a_flood_of_complaints_costs_nothing_and_its_end_is_shown(program: Write) -> None:
    flood = "os.write(2, b'x' * (1 << 16) + b'\\n')"
    model = program(f"for _ in range(40): {flood}\nif number == 4: sys.exit('out of tokens')\n{GOOD}", batch=20)
    with pytest.raises(PartialAnswersError, match=r"after 4 of 20 answers\.\n  x+\n  out of tokens") as told:
        model.answer(model.ready([each_texts(each) for each in CASES]), width=1)
    assert len(str(told.value)) < 3_000


def test_a_flood_of_answers_is_not_kept(program: Write) -> None:
    model = program("while True: os.write(1, b'\"neutral\"\\n' * 1000)", batch=20)
    with pytest.raises(ModelError, match="wrote more answers than there were pairs"):
        model.answer(model.ready([each_texts(each) for each in CASES]), width=1)
    assert model._running is None
