# ruff: noqa: E501 - patterns are read in one piece
"""What users say of themselves or of what they prefer, recognised by rule; anything in doubt is not remembered."""

from __future__ import annotations

import re
import unicodedata

LONGEST_STATEMENT = 300
"""Characters: what is longer is no statement but a text, which belongs into a document."""

_ASKS = re.compile(
    r"[?？]|吗|呢|哪|什么|谁|几|多少|怎么|如何|是否|为何|\b(?:what|which|who|where|when|why|how)\b", re.IGNORECASE
)
_REMEMBER = re.compile(
    r"^(?:请你?|麻烦你?|帮我)?(?:记住|记一下|记下来?|记得)[:：,，\s]*(?P<zh>.+)$"
    r"|^(?:please\s+)?(?:remember|note|keep in mind)(?:\s+that)?[:,\s]+(?P<en>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_OF_ONESELF = re.compile(
    r"^(?:我(?:们)?(?:现在)?(?:在|属于|来自|隶属于?|任职于|就职于).{1,30}(?:部|部门|处|科|组|公司|中心|办公室|办|室|厂|院|局|所|队|团队|工作|上班|任职)"
    r"|我(?:的(?:名字|姓名|部门|岗位|职务|职位|角色)(?:是|叫)|叫)(?!做).{1,30}"
    r"|我是(?![说想问要指不否在看]).{1,30}"
    r"|我(?:主要)?负责.{1,40}"
    r"|我(?:更|比较|一般|通常|平时)?(?:喜欢|偏好|习惯|倾向于?).{1,60})$"
    r"|^(?:i work (?:in|at|for|as|on) .{2,60}|i(?:'m| am) (?:in|from|with|part of) (?:the )?.{2,40}(?:team|department|office|division|group|unit)"
    r"|i(?:'m| am) (?:responsible for|in charge of) .{2,60}"
    r"|my (?:name|department|team|role|job|position|office|title) is .{1,60}"
    r"|i (?:usually |generally |always )?prefer .{2,80})$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,，。.;；!！\n]")
# What tells the product what to do is no statement: it would steer later answers.
_STEERS = re.compile(
    r"https?://|忽略|无视|系统提示|提示词|指令|密码|口令|以后(?:都|请|要)|总是|必须回答|你(?:必须|应该|要|只能|不得|不要)"
    r"|\b(?:ignore|disregard|instructions?|system prompt|password|from now on|always (?:answer|reply|say)|you (?:must|should|shall|are))\b",
    re.IGNORECASE,
)


def statement_in(message: str) -> str | None:
    """What a message says of its writer that may be remembered; None: nothing, or nothing that is surely that.

    Either all of it asks to be remembered (记住…, remember that …), or its first clause is about the writer
    (我在采购部，验收期限是多久？).
    """
    text = cleaned(message)
    asked = _REMEMBER.match(text)
    said = (asked["zh"] or asked["en"]).strip(" .。!！") if asked else _CLAUSE.split(text, maxsplit=1)[0].strip()
    if not said or len(said) > LONGEST_STATEMENT or _ASKS.search(said) or _STEERS.search(said):
        return None
    return said if asked or _OF_ONESELF.match(said) else None


def asks_to_remember(message: str) -> bool:
    """Whether all of a message tells the product to remember something, and asks nothing."""
    asked = _REMEMBER.match(cleaned(message))
    return asked is not None and not _ASKS.search(asked["zh"] or asked["en"])


def is_of_oneself(text: str) -> bool:
    """Whether a statement is about its writer."""
    return _OF_ONESELF.match(text) is not None


def cleaned(text: str) -> str:
    """The text in one line, without characters that nobody sees."""
    seen = "".join(" " if character in "\r\n\t" else character for character in text)
    shown = (character for character in seen if unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co"))
    return " ".join("".join(shown).split())
