"""Files in the columns of the sets about logic, with sentences written for the tests."""

from tests.corpora.files import Example, jsonl, tsv

from assay.core.label import Label
from assay.corpora.formats.phenomena import TaxiNli

PAIR = {"sentence1": "No cook sang.", "sentence2": "No young cook sang."}
UNUSED = ("promptID", "pairID", "genre", "sentence1_binary_parse", "sentence2_binary_parse")
GLUE_HEAD = {"index": "7", **dict.fromkeys(UNUSED, "")}
MED = {**GLUE_HEAD, "genre": "paper:downward_monotone:lexical_knowledge", **PAIR, "label1": "", "gold_label": "neutral"}
TAXI = TaxiNli.slices
MONLI = {**PAIR, "gold_label": "neutral", "depth": -2, "sentence1_lex": "cook", "sentence2_lex": "chef"}
PHENOMENA = {"Lexical Semantics": "", "Predicate-Argument Structure": "Datives", "Logic": "Negation;Upward monotone"}
DIAGNOSTIC = {**PHENOMENA, "Knowledge": "", "Domain": "News", "Premise": "No cook sang.", "Hypothesis": "A cook sang."}
PRESUPPOSITION = {**PAIR, "gold_label": "neutral", "presupposition": "positive", "trigger": "negated",
                  "UID": "only_presupposition", "pairID": "3n", "paradigmID": 0}  # fmt: skip
IMPLICATURE = {**PAIR, "gold_label_log": "neutral", "gold_label_prag": "contradiction",
               "spec_relation": "implicature_PtoN", "item_type": "target",
               "trigger": "quantifier", "lexemes": "some - all"}  # fmt: skip
SCONE_PAIR = "No cook sang.,A cook sang.,neutral,cook,chef"

LOGIC = {
    "med": Example(
        "MED.tsv",
        "med/v1",
        tsv(MED, {**MED, "index": "8", "gold_label": "entailment"}),
        {"id": "7", "label": Label.NON_ENTAILMENT,
         "group": {"source": "paper", "monotonicity": "downward", "lexical-knowledge": "yes"}},
        unlabelled=0,
    ),
    "monli": Example(
        "nmonli_test.jsonl",
        "monli/v1",
        jsonl(MONLI, {**MONLI, "gold_label": "entailment", "depth": 2}),
        {"id": "row-1", "label": Label.NON_ENTAILMENT, "premise": "No cook sang."},
        unlabelled=0,
    ),
    "scone-one-scoped": Example(
        "one_scoped.csv",
        "scone/v1",
        f",sentence1,sentence2,gold_label,sentence1_lex,sentence2_lex\n0,{SCONE_PAIR}\n1,{SCONE_PAIR}\n".encode(),
        {"id": "row-2", "label": Label.NON_ENTAILMENT, "hypothesis": "A cook sang."},
        unlabelled=0,
    ),
    "scone-edited": Example(
        "two_scoped.csv",
        "scone/v1",
        b",sentence1,sentence2,gold_label,sentence1_lex,sentence2_lex,group_index,"
        b"sentence1_edited,sentence2_edited,gold_label_edited\n"
        + f'0,{SCONE_PAIR},0,"Well, no cook sang.",No chef sang.,entailment\n'.encode(),
        {"premise": "Well, no cook sang.", "hypothesis": "No chef sang.", "label": Label.ENTAILMENT},
        rows=1,
        unlabelled=0,
    ),
    "scone-without-old-label": Example(
        "scoped_and_not_scoped.csv",
        "scone/v1",
        b",sentence1,sentence2,gold_label_edited,sentence1_lex,sentence2_lex,group_index,"
        b"sentence1_edited,sentence2_edited\n"
        + f'0,{SCONE_PAIR},0,"Well, no cook sang.",No chef sang.\n'.encode(),
        {"premise": "Well, no cook sang.", "hypothesis": "No chef sang.", "label": Label.NON_ENTAILMENT},
        rows=1,
        unlabelled=0,
    ),
    "curriculum": Example(
        "val.jsonl",
        "curriculum/v1",
        jsonl({"premise": "No cook sang.", "hypothesis": "A cook sang.", "gold_label": "not-entailed", "idx": 0},
              {"premise": "No cook sang.", "hypothesis": "No chef sang.", "gold_label": "entailed", "idx": 1}),
        {"id": "0", "label": Label.NON_ENTAILMENT},
        unlabelled=0,
    ),
    "imppres-presupposition": Example(
        "only_presupposition.jsonl",
        "imppres/v1",
        jsonl(PRESUPPOSITION, PRESUPPOSITION),
        {"id": "row-1", "label": Label.NEUTRAL,
         "group": {"uid": "only_presupposition", "trigger": "negated", "presupposition": "positive"}},
        unlabelled=0,
    ),
    "imppres-control": Example(
        "question_presupposition.jsonl",
        "imppres/v1",
        jsonl(*({**PAIR, "trigger1": "interrogative", "trigger2": "unembedded", "gold_label": "neutral",
                 "control_item": True, "UID": "question_presupposition", "pairID": "1n", "paradigmID": 0},) * 2),
        {"label": Label.NEUTRAL,
         "group": {"uid": "question_presupposition", "trigger1": "interrogative", "trigger2": "unembedded"}},
        unlabelled=0,
    ),
    "imppres-hub": Example(
        "test.jsonl",
        "imppres/v1",
        jsonl(*({"premise": "No cook sang.", "hypothesis": "A cook sang.", "trigger": "modal",
                 "trigger1": "Not_In_Example", "trigger2": "Not_In_Example", "presupposition": "positive",
                 "gold_label": 2, "UID": "only_presupposition", "pairID": "3c", "paradigmID": 0},) * 2),
        {"premise": "No cook sang.", "label": Label.CONTRADICTION,
         "group": {"uid": "only_presupposition", "trigger": "modal", "presupposition": "positive"}},
        unlabelled=0,
    ),
    "imppres-implicature": Example(
        "quantifiers.jsonl",
        "imppres/v1",
        jsonl(IMPLICATURE, {**IMPLICATURE, "gold_label_log": "entailment"}),
        {"label": Label.NEUTRAL,
         "group": {"trigger": "quantifier", "item_type": "target", "spec_relation": "implicature_PtoN",
                   "lexemes": "some - all", "pragmatic": "contradiction"}},
        unlabelled=0,
    ),
    "negation-nli-clean": Example(
        "RTE.txt",
        "negation-nli/v1",
        tsv({"index": "0", "Text": "No cook sang.", "Hypothesis": "A cook sang.", "gold_label": "not_entailment"},
            {"index": "1", "Text": "No cook sang.", "Hypothesis": "No chef sang.", "gold_label": "entailment"}),
        {"id": "0", "premise": "No cook sang.", "label": Label.NON_ENTAILMENT},
        unlabelled=0,
    ),
    "negation-nli-prepared": Example(
        "dev_mismatched.tsv",
        "negation-nli/v1",
        tsv(*({"index": str(n), **{name: name for name in UNUSED}, **PAIR, "label1": "label1", "gold_label": "neutral"}
              for n in range(2))),
        {"id": "0", "label": Label.NEUTRAL, "group": {}, "annotators": ()},
        unlabelled=0,
    ),
    "negation-nli-prepared-snli": Example(
        "dev.tsv",
        "negation-nli/v1",
        tsv(*({**{name: name for name in ("index", "captionID", "pairID", "sentence1_binary_parse")}, **PAIR,
               "gold_label": "neutral"},) * 2),
        {"id": "row-2", "premise": "No cook sang.", "label": Label.NEUTRAL, "group": {}},
        unlabelled=0,
    ),
    "taxinli-with-answers": Example(
        "taxinli10k_MNLIDev.tsv",
        "taxinli/v1",
        tsv(*({"": str(n), "Unnamed: 0": str(n), "prem": "No cook sang.", "hyp": "A cook sang.",
               "label": "contradiction", **dict.fromkeys(TAXI, "0"), "pairID": "9c", "genre": "slate",
               "s1": "No cook sang.", "s2": "A cook sang.", "bag_of_words": "neutral", "esim": "entailment"}
              for n in range(2))),
        {"id": "row-2", "label": Label.CONTRADICTION, "group": {"genre": "slate"}},
        unlabelled=0,
    ),
    "taxinli": Example(
        "taxinli10k_MNLIDev.tsv",
        "taxinli/v1",
        tsv(*({"": str(n), "prem": "No cook sang.", "hyp": "A cook sang.", "label": "contradiction",
               **dict.fromkeys(TAXI, "0"), "negation_logic": "1", "pairID": "9c", "genre": "slate"} for n in range(2))),
        {"id": "row-2", "label": Label.CONTRADICTION, "group": {"genre": "slate", "negation": "yes"}},
        unlabelled=0,
    ),
    "counterfactual": Example(
        "dev.tsv",
        "counterfactual/v1",
        tsv({"sentence1": '"The cook sang ""Hey"" twice."', "sentence2": '"Hey," she sang.', "gold_label": "neutral"}),
        {"premise": 'The cook sang "Hey" twice.', "hypothesis": '"Hey," she sang.', "label": Label.NEUTRAL},
        rows=1,
        unlabelled=0,
    ),
    "glue-diagnostic": Example(
        "diagnostic-full.tsv",
        "glue-diagnostic/v1",
        tsv({**DIAGNOSTIC, "Label": "contradiction"}, {**DIAGNOSTIC, "Label": "neutral"}),
        {"label": Label.CONTRADICTION,
         "group": {"predicate-argument-structure": "Datives", "logic": "Negation;Upward monotone", "domain": "News"}},
        unlabelled=0,
    ),
}  # fmt: skip
