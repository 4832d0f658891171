"""Whether a phrase before a colon only leads to what follows, or says something that needs a source."""

from __future__ import annotations

import re

from ..text.normalise import has_chinese
from ..text.values import find_values
from .matching import content_terms
from .negation import denials

_COLON = re.compile(r"[：:]\s*$")
_LONGEST = {"zh": 30, "en": 70}
"""Characters; what is longer says something by itself."""
# Sends somebody somewhere, or tells them to do something.
_ORDER = re.compile(
    r"https?:|www\.|[@#$€¥￥]|\w\.\w|^\s*(?:请|务必|必须|不要|忽略)"
    r"|\b(?:please|must|log in|sign in|send|pay|click|call|visit|ignore)\b",
    re.IGNORECASE,
)
# Words for what answers are made of; they speak of no thing.
_LISTING = re.compile(
    r"主要|具体|相关|有关|规定|规则|要求|内容|条款|标准|条件|情况|情形|事项|方面|步骤|包括|分别|如下|以下|下列|其中|此外|总之|结论|答案"
    r"|\b(?:the|this|these|following|follows?|below|as|are|is|includes?|including|rules?|requirements?|conditions?|details?"
    r"|points?|steps?|cases?|items?|answers?|summary|in|short|main|relevant|provisions?|says?|states?)\b",
    re.IGNORECASE,
)
_KNOWN_SHARE = 0.5


def leads_in(phrase: str, sources: str) -> bool:
    """Whether a phrase only leads to what follows.

    It ends with a colon, is short, says no value, denial or order, and at least half of its words that name a thing
    stand in the sources: a model that repeats orders could else say anything without a source.

    Args:
        phrase: without what it says of its source (根据…规定).
        sources: the text of all evidence.
    """
    if _COLON.search(phrase) is None or len(phrase) > _LONGEST["zh" if has_chinese(phrase) else "en"]:
        return False
    if _ORDER.search(phrase) or find_values(phrase) or denials(phrase):
        return False
    named = content_terms(_LISTING.sub(" ", phrase))
    return len(named & content_terms(sources)) >= len(named) * _KNOWN_SHARE if named else True
