"""Packages and ordering codes on the sample library: from tables, from lines of text, and what is none of both."""

from __future__ import annotations

import pytest

from engine.agent.package_questions import PackageQuestion, package_question
from engine.agent.packages import offers_of
from engine.agent.question import understand
from engine.api import Engine
from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Segment, SegmentKind
from engine.core.results import AnswerStatus


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What package does the TPX12 come in?", PackageQuestion(False)),
        ("Which packages is the TPX12 available in?", PackageQuestion(False)),
        ("order code for the TPX12 in DIP", PackageQuestion(True, "DIP")),
        ("ordering information of the TPX12", PackageQuestion(True)),
        ("What is the package thermal resistance of the TPX12?", None),
        ("What thermal impedance does the TPX12 have in the SOIC package?", None),
        ("How much RAM does the ordering options table of the TPX12 give?", None),
        ("In which order are bits sent by the TPX12?", None),
    ],
)
def test_what_a_question_asks_about_packages(text: str, wanted: PackageQuestion | None) -> None:
    assert package_question(understand(text)) == wanted


def _segment(kind: SegmentKind, text: str, path: str, page: int = 1) -> Segment:
    return Segment(
        SegmentId(f"{page:064x}"), DocumentId("2" * 64), page, kind, "Sheet", (path,), text, text, page, (page,)
    )


def test_codes_and_packages_listed_in_one_cell_belong_together_in_order() -> None:
    codes = "| Code | Package |\n|---|---|\n| TPX12-AC TPX12-PC | 44A 40P6 |"
    legend = "| 44A | 44-lead Thin Flatpack (TQFP) |\n| 40P6 | 40-pin Dual Inline (PDIP) |"
    offers = offers_of(
        [_segment(SegmentKind.TABLE, codes, "Ordering"), _segment(SegmentKind.TABLE, legend, "Ordering", 2)], "TPX12"
    )
    assert {(offer.code, offer.package) for offer in offers} == {
        ("TPX12-AC", "44-lead Thin Flatpack (TQFP)"),
        ("TPX12-PC", "40-pin Dual Inline (PDIP)"),
    }


def test_a_heading_is_no_package() -> None:
    drawing = _segment(SegmentKind.TEXT, "Package Dimensions\n4.58 0.46 TO-92 1.27TYP", "Package Dimensions", 3)
    assert [offer.package for offer in offers_of([drawing], "TPX12")] == ["TO-92"]


@pytest.mark.parametrize(
    ("question", "said", "file"),
    [
        ("What package does the SHF337 come in?", "TO-220, tube of 50: SHF337-T.", "SHF337.pdf"),
        ("order code for the SHF337 in TO-263", "TO-263, reel of 800: SHF337-D.", "SHF337.pdf"),
        ("What packages is the SHC3204 available in?", "14-lead TSSOP", "converters/SHC3204_3208.pdf"),
        ("What package is the SHF317 available in?", "TO-263: SHF317-D, SHF317A-D.", "shf317.pdf"),
        ("ordering code for the SHA90 in SO", "8-lead SO: SHA90GS.", "SHA90.pdf"),
    ],
)
def test_packages_come_from_the_ordering_information(engine: Engine, question: str, said: str, file: str) -> None:
    answer = engine.ask("sample", question, quoted=True)
    assert answer.status is AnswerStatus.ANSWERED
    assert said in answer.text
    assert {citation.place.file for citation in answer.citations} == {file}


def test_another_part_of_the_sheet_is_not_offered(engine: Engine) -> None:
    assert "SHC3208" not in engine.ask("sample", "What packages is the SHC3204 available in?", quoted=True).text


def test_a_part_whose_package_is_nowhere_given_has_none(engine: Engine) -> None:
    answer = engine.ask("sample", "order code for the SHT1620 in a ceramic case", quoted=True)
    assert answer.status is AnswerStatus.NOT_MENTIONED
