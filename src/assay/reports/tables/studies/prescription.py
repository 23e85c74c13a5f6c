"""A prescription in short: what was found, and what is done about it."""

from assay.core.study.prescription import Prescription
from assay.evaluate.diagnose.told import shortcut_told
from assay.reports.tables.sheet import Part, Sheet, plain_sheet


def prescription_parts(made: Prescription) -> list[Part]:
    """The model, its shortcuts, and a line for each remedy."""
    subject = made.subject
    where = "" if subject.is_own else " from its weights" if subject.goes_on else f" in the place of {subject.model}"
    return [
        f"{subject.model} {subject.headline}. {subject.system} is trained{where}.",
        *(f"  {shortcut_told(each)}." for each in made.shortcuts),
        *(f"  No remedy is against {each.name}." for each in made.incurable),
        "",
        remedies_sheet(made),
    ]


def remedies_sheet(made: Prescription) -> Sheet:
    """The remedies, the suites that show what they treat, and those that are withheld from them."""
    rows = [
        {
            "remedy": each.name,
            "against": ", ".join(each.against),
            "treated": ", ".join(each.treats) or "-",
            "withheld": ", ".join(made.withheld(each)),
        }
        for each in made.remedies
    ]
    note = "treated: suites that show what the remedy is for. withheld: suites that show whether it goes beyond them."
    return plain_sheet(rows)._replace(note=note)
