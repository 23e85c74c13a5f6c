"""Fill in the columns of HANS for the pairs of a file that a template makes: heuristic, subcase, template and parses.

    python tools/hans_templates.py pairs.jsonl filled.txt --grammar my-grammar.toml

`assay audit --gold-labels` says which of the labels are refuted.
"""

import argparse
from pathlib import Path

import msgspec

import assay
from assay.corpora.formats.row_writer import hans_header, hans_line
from assay.storage.files import file_aside
from assay.stress.heuristics.grammar import load_grammar, read_text
from assay.stress.heuristics.recognise import recognise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs")
    parser.add_argument("out", type=Path, help="a .txt or .tsv file")
    parser.add_argument("--grammar", type=Path, help="your own subcases and templates")
    parser.add_argument(
        "--fidelity", choices=["code", "strict"], default="code", help="parses with released errors or not"
    )
    given = parser.parse_args()
    grammar = load_grammar(read_text(given.grammar) if given.grammar else "")
    pairs = known = 0
    with file_aside(given.out) as put:
        put(hans_header(given.out.suffix).encode())
        for pair in assay.read(given.pairs):
            found = recognise(pair.premise, pair.hypothesis, fidelity=given.fidelity, grammar=grammar)
            pairs += 1
            if found:
                known += 1
                group = {"heuristic": found.heuristic, "subcase": found.subcase, "template": found.template}
                pair = msgspec.structs.replace(pair, group={**pair.group, **group}, parses=found.parses)
            put(hans_line(pair, given.out.suffix).encode())
    print(f"{known:,} of {pairs:,} pairs are made by a template; the file is {given.out}")


if __name__ == "__main__":
    main()
