"""A number that the source states of something else is no support."""

from __future__ import annotations

import pytest
from support.quoting import source
from veriloop.knowledge.evidence.check import check_answer

POWER = """| 型号 | 额定功率 | 净重（t） |
| --- | --- | --- |
| HN-3200 | 30 kW | 14.6 |
| HN-3200B | 37 kW | 16.8 |
| HN-4000 | 45 kW | 21.5 |
"""
RECORDS = """| Record | Retention period |
| --- | --- |
| Security logs | 400 days |
| Visitor lists | 90 days |
"""
PROSE = "The pump A-100 weighs 35 kg. The pump B-200 weighs 48 kg. Both are painted blue within 3 days."


@pytest.mark.parametrize(
    ("text", "claim", "holds"),
    [
        (POWER, "HN-3200B的额定功率是37 kW。", True),
        (POWER, "HN-3200B的额定功率是45 kW。", False),
        (POWER, "HN-4000的净重为21.5 t。", True),
        (POWER, "HN-4000的净重为16.8 t。", False),
        (RECORDS, "Security logs are kept for 400 days.", True),
        (RECORDS, "Visitor lists are kept for 400 days.", False),
        (PROSE, "The pump A-100 weighs 35 kg.", True),
        (PROSE, "The weight of the pump A-100 is 48 kg.", False),
        (PROSE, "The pump A-100 is painted blue within 3 days.", True),
    ],
)
def test_a_value_of_another_row_or_model_is_refused(text: str, claim: str, holds: bool) -> None:
    (check,) = check_answer([(claim, [1])], [source(text)])
    assert check.supported is holds, check.faults
