"""Keys are checked before a library gets them, and never shown."""

import traceback
from collections.abc import Callable

import pytest

from assay.core.errors import UserError
from assay.corpora.reader import read
from assay.models.adapters.hf import HuggingFace
from assay.storage.remote import HUB, read_key

SECRET = "hf_very_secret"


def test_what_stands_around_a_key_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", f"\t{SECRET}\n")
    assert read_key("MY_KEY") == SECRET
    monkeypatch.delenv("MY_KEY")
    assert read_key("MY_KEY") == ""


def model() -> None:
    pytest.importorskip("huggingface_hub")
    HuggingFace(what="nobody/nothing").open()


def checkpoint() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from assay.models.systems.transformer import Transformer, TransformerConfig

    Transformer(TransformerConfig(checkpoint="nobody/nothing"))


def data_set() -> None:
    pytest.importorskip("datasets")
    list(read("hf:nobody/nothing"))


@pytest.mark.parametrize("variable", HUB)
@pytest.mark.parametrize("ask", [model, checkpoint, data_set])
def test_a_key_that_the_hub_would_show_is_not_sent(
    ask: Callable[[], None], variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, f"{SECRET}\x01{SECRET}")
    with pytest.raises(UserError, match=f"The key in {variable} can't be sent") as told:
        ask()
    assert SECRET not in "".join(traceback.format_exception(told.value))
