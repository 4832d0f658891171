"""What somebody else's tool brought back, as a result that can be cited."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ...knowledge.text.normalise import has_chinese, well_formed
from ..contracts import ToolOutput
from ..results import result_hit

_CUT = {
    "zh": "结果太长，只取了前 {limit} 个字符。",
    "en": "The result was too long: only its first {limit} characters were taken.",
}


def text_of(value: Any) -> str:
    """A value as text: strings as they are, blocks of content by their text, anything else as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list) and value and all(_is_block(one) for one in value):
        return "\n".join(_block_text(one) for one in value).strip()
    return json.dumps(value, ensure_ascii=False, default=str, indent=1)


def _is_block(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and "type" in value)


def _block_text(block: Any) -> str:
    """The text of a block; pictures and sound cannot be cited."""
    if isinstance(block, str):
        return block
    return str(block.get("text", "")) if block.get("type") == "text" else f"[{block.get('type')}]"


def output_of(tool: str, source: str, text: str, limit: int, section: Iterable[str] = ()) -> ToolOutput:
    """The output of a call; without a hit where it brought nothing.

    Args:
        tool: its name.
        source: what the user should take the result for.
        text: of the result.
        limit: characters of it that are read.
        section: where in the source it stands, such as the call.
    """
    said = well_formed(text).strip()
    if not said:
        return ToolOutput()
    language = "zh" if has_chinese(said) else "en"
    notes = (_CUT[language].format(limit=f"{limit:,}"),) if len(said) > limit else ()
    return ToolOutput(hits=(result_hit(tool, source, said[:limit], section=tuple(section)),), notes=notes)
