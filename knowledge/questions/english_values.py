"""How one asks in English for the value of one subject that a comparison compares."""

from __future__ import annotations

import re

from .asked_values import ENGLISH_ADJECTIVES, ENGLISH_MEASURES, has_measure
from .english_names import DATE
from .models import Combination

_COMP = rf"(?:{ENGLISH_ADJECTIVES})"
_TIMED = (Combination.EARLIER, Combination.LATER)
_PAST = re.compile(r"\b(?:had|was|were|did|\w+ed|made|paid|spent|held|raised)\b")
_ENDING = re.compile(
    r"^(?P<attribute>.*?)\s+(?P<preposition>of|for|by|at|between|in|on|when|from|to|with)?\s*$", re.IGNORECASE
)
_TIMES = re.compile(
    r"^(?:the\s+)?(?P<inner>.*?)\s*\b(?:times?|dates?|timing)\b(?:\s+of)?\s*(?P<outer>.*)$", re.IGNORECASE
)
_OWN_VALUE = re.compile(
    rf"^(?:which|who|what|whose)\s+(?:[\w-]+\s+)?(?!is\b|are\b|was\b|were\b)\w+\s+(?:the\s+|an?\s+)?{_COMP}\s+(?P<noun>.+)$",
    re.IGNORECASE,
)
_WHOSE = re.compile(rf"^whose\s+(?P<noun>.+?)\s+(?:is|was|are|were)\s+(?:the\s+)?(?P<comp>{_COMP})\b", re.IGNORECASE)
_DONE = re.compile(
    rf"^(?:which|who|what)\s+(?:[\w-]+\s+)*?(?P<verb>\w+ed|raised|made|paid|spent|sold|held|built)\s+(?:the\s+|an?\s+)?{_COMP}\s+(?:(?:amount|number|sum)\s+of\s+)?(?P<noun>[\w\s-]+?)(?P<rest>\s+(?:through|by|via|in|from|for|to)\s.+)?$",
    re.IGNORECASE,
)
_IS = re.compile(
    rf"^(?:which|who|what)\s+(?:(?P<kind>[\w-]+)\s+)?(?P<aux>is|was|are|were)\s+(?:the\s+)?(?P<comp>{_COMP})(?P<rest>\s+[^,]*)?$",
    re.IGNORECASE,
)
_WAS_DONE = re.compile(
    rf"^(?:which|who|what)\s+(?:[\w-]+\s+)?(?P<aux>is|was|are|were)\s+(?P<action>(?:\w+\s){{1,5}}?)(?P<comp>{_COMP})(?P<rest>\s.*)?$",
    re.IGNORECASE,
)
_ACTED = re.compile(
    rf"^(?:which|who|what)\s+(?:(?:company|firm|person|team|site|supplier|party|band|court|department)\s+)?(?P<action>(?!is\b|was\b|has\b|had\b)\w+(?:\s[\w'-]+)*?)\s+(?P<comp>{_COMP})(?P<rest>\s.*)?$",
    re.IGNORECASE,
)
_OBLIGED = re.compile(
    rf"^(?:which|who|what)\s+(?:[\w-]+\s+)?(?P<modal>must|should|shall|can|may|(?:has|have|needs?|is|are)\s+to)\s+(?P<action>\w[\w\s-]*?)\s+(?P<comp>{_COMP})(?P<rest>\s.*)?$",
    re.IGNORECASE,
)
_COSTS = re.compile(r"\bcosts?\b", re.IGNORECASE)


def event_question(front: str, subject: str, after: str) -> str:
    """When what the comparison names happened to or through one subject.

    Args:
        front: what stands between `compare` and the subjects (the times of board changes for).
        subject: the subject with its own date, if it has one.
        after: what stands behind the subjects.
    """
    ending = _ENDING.match(f"{front} ")
    attribute = (ending["attribute"] if ending else front).strip()
    preposition = ((ending["preposition"] if ending else "") or "").casefold().replace("between", "of")
    if preposition == "when" or after.strip():
        return f"When was it that {subject}{after}"
    times = _TIMES.match(attribute)
    event = " ".join(part for part in (times["inner"], times["outer"]) if part).strip() if times else attribute
    event = event or attribute
    article = "" if event.casefold().startswith("the ") else "the "
    return f"When did {article}{event} {preposition or 'of'} {subject} take place"


def direct_question(front: str, subject: str, after: str, ask: str, adjective: str) -> str:
    """The value of one subject, asked for directly; `front` names it, or else the deciding question `ask` does."""
    if front:
        return _by_deed(subject, after, ask) or _by_attribute(front, subject, after, ask)
    return _by_noun(subject, ask) or _by_measure(subject, ask, adjective)


def value_of(thing: str, aux: str, adjective: str) -> str:
    """How one asks for the value of a thing that a comparison names whole (the password of a user account).

    Args:
        thing: with its owner.
        aux: the verb of the comparison (is, must be).
        adjective: the word of comparison.
    """
    measure = ENGLISH_MEASURES[adjective.casefold()]
    verb = aux.casefold().split()[0].replace("has", "must").replace("have", "must")
    head = re.split(r"\s(?:of|for|in|at|under|with|on)\s", thing)[0]
    if measure.combination in _TIMED:
        return f"When {verb} {thing}"
    if verb in ("is", "are", "was", "were"):
        return f"What {verb} {thing}" if has_measure(head) else f"How {measure.question} {verb} {thing}"
    return f"How {measure.question} {verb} {thing} be"


def _by_deed(subject: str, after: str, ask: str) -> str:
    """Which company reduced more liabilities: what amount of liabilities was reduced by it."""
    found = _DONE.match(ask)
    if found is None or found["noun"].split()[0].casefold() in ("amount", "number"):
        return ""
    name, date = _dated(subject)
    amount = "" if found["noun"].startswith("percentage") else "amount of "
    return f"What {amount}{found['noun']} was {found['verb']} by {name}{date}{found['rest'] or ''}{after}"


def _by_attribute(front: str, subject: str, after: str, ask: str) -> str:
    verb = "was" if _PAST.search(ask) or re.search(DATE, subject) else "is"
    front = re.sub(r"\bbetween\s*$", "of ", front)
    attribute = re.sub(r"\s+of\s+the\s+(?:two|three|four|five|six)\s+\w+\s*$", " of ", front).strip()
    if re.search(r"\b(?:have|had|has|did|does|do)\s*$", attribute):
        return f"{attribute} {subject}{after}"
    if not re.search(r"\b(?:of|for|by|at|in|on|from|to)$", attribute):
        attribute = f"{attribute} of"
    noun = re.sub(r"\s\w+$", "", attribute)
    if not has_measure(noun) and not re.match(r"the\s+(?:amount|number)", noun):
        noun_text = f"the amount of {attribute}"
    else:
        noun_text = attribute
        verb = {"was": "were", "is": "are"}[verb] if noun.endswith("s") and not noun.endswith("ss") else verb
    article = "" if noun_text.startswith(("the ", "their ")) else "the "
    return f"What {verb} {article}{noun_text} {subject}{after}"


def _by_noun(subject: str, ask: str) -> str:
    """Which contract has the longer payment term: the payment term of it."""
    verb = "was" if _PAST.search(ask) else "is"
    if found := _WHOSE.match(ask):
        timed = ENGLISH_MEASURES[found["comp"].casefold()].combination in _TIMED
        noun = re.sub(r"\s+time$", "", found["noun"]) if timed else found["noun"]
        return f"{'When was' if timed and not noun.endswith('date') else f'What {verb}'} the {noun} of {subject}"
    found = _OWN_VALUE.match(ask)
    if found is None:
        return ""
    noun, rest = _head(found["noun"])
    if not has_measure(noun) and noun.endswith("s"):
        return f"How many {noun} {'did' if verb == 'was' else 'does'} {subject} have{rest}"
    return f"What {verb} the {noun} of {subject}{rest}"


def _by_measure(subject: str, ask: str, adjective: str) -> str:
    """Which is heavier: how heavy it is."""
    measure = ENGLISH_MEASURES[adjective]
    if _COSTS.search(ask) or measure.question in ("cheap", "expensive"):
        return f"How much does {subject} cost"
    if adjective in ("older", "oldest", "younger", "youngest"):
        return f"When was {subject} born" if ask.casefold().startswith("who") else f"How old is {subject}"
    if measure.combination in _TIMED:
        return _by_time(subject, ask)
    if re.search(r"\bweighs?\b", ask):
        return f"How much does {subject} weigh"
    how = f"How {measure.question}"
    if found := _OBLIGED.match(ask):
        return f"{how} {_modal(found)} {subject} {_action(found)}"
    if found := _WAS_DONE.match(ask) or _IS.match(ask):
        return f"{how} {_agreeing(found['aux'], subject)} {subject} {_action(found)}"
    if found := _ACTED.match(ask):
        return f"{how} was it that {subject} {_action(found)}"
    return f"{how} is {subject}" if measure.question != "good" else f"What is {subject} like"


def _by_time(subject: str, ask: str) -> str:
    """Which was founded first: when it was founded; which must be done sooner: within how long it must be done."""
    if found := _OBLIGED.match(ask):
        return f"Within how long {_modal(found)} {subject} {_action(found)}"
    if found := _WAS_DONE.match(ask):
        return f"When {_agreeing(found['aux'], subject)} {subject} {_action(found)}"
    if _IS.match(ask):
        return f"What is the date of {subject}"
    if found := _ACTED.match(ask):
        return f"When was it that {subject} {_action(found)}"
    return f"When was {subject}"


def _agreeing(aux: str, subject: str) -> str:
    """The verb in the number of the subject: `what is kept longer` asks of records, too."""
    head = re.split(r"\s(?:of|for|in|at|under|with|on)\s", subject)[0]
    is_plural = re.search(r"(?:^|\s)[a-z]+[^su'’]s$", head) is not None
    return {"is": "are", "was": "were"}.get(aux.casefold(), aux) if is_plural else aux


def _modal(found: re.Match[str]) -> str:
    modal = found["modal"].casefold()
    return "must" if modal.endswith(" to") else modal


def _action(found: re.Match[str]) -> str:
    """What a subject did or had done to it, without the comparative."""
    groups = found.groupdict()
    return f"{(groups.get('action') or '').strip()}{groups['rest'] or ''}".strip()


def _head(noun: str) -> tuple[str, str]:
    """A noun phrase, and what only says where or when."""
    found = re.match(r"^(?P<noun>.+?)(?P<rest>\s(?:in|during|for|at|under|on|per)\s.+)?$", noun)
    return (found["noun"], found["rest"] or "") if found else (noun, "")


def _dated(subject: str) -> tuple[str, str]:
    found = re.match(rf"^(?P<name>.+?)(?P<date>\s(?:in|for|during)\s{DATE})?$", subject)
    return (found["name"], found["date"] or "") if found else (subject, "")
