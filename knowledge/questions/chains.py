# ruff: noqa: E501 - patterns and word lists are read in one piece
"""Questions about someone or something that must be looked up first (the phone number of the supplier of X)."""

from __future__ import annotations

import re

from .models import Combination, Decomposition, QuestionType
from .parts import Asked, Draft, assembled

_ROLE = r"(?:供应商|供货商|制造商|生产商|生产厂家|厂家|厂商|承包商|分包商|总包方|承建商|承建单位|施工单位|监理单位|设计单位|中标人|中标单位|经销商|代理商|服务商|负责人|责任人|项目经理|主管|保管人|发明人|编制人|审批人|批准人|签署人|起草人|收购方|母公司|控股股东|运营商|房东|出租方|维保单位|检测单位|验收人)"
_ACTS = r"(?:负责|组织|承担|主持|批准|审批|签署|起草|编制|提供|供应|制造|生产|承建|中标|管理|检查|检修|审核|牵头|设计|收购|研发|维护|主办|承办)"
_ACTOR = r"(?:人员?|同事|部门|单位|公司|机构|企业|供应商|承包商|厂家|团队|小组|工程师|经理|主管|专员|律师|银行)"
_ABOUT_ITSELF = r"(?:是谁|是哪|是什么|有哪些|有谁|叫什么|应|须|必须|可以|不得|需|如何|怎么|是否|要)"
# Duties and qualifications belong to the office, not to whoever holds it.
_OF_THE_OFFICE = re.compile(
    r"职责|义务|责任|资格|条件|权利|权限|任期|行为|违法|处罚|管理(?:办法|制度)|要求|规定|选择|选聘|评价|准入|范围|变更|定义|含义|意思|人数|数量|标准"
)
_GENERIC_OWNER = re.compile(
    r"^(?:本|该|我们?|贵|各|每|某)?(?:公司|企业|单位|用人单位|机构|部门|项目|工程|组织|集团|甲方|乙方|双方|合同|产品|设备|生产经营单位|事故|主要|主要供应商)$"
)
_ASKS_VALUE = r"(?:多少|多[久长大高]|几|什么|何时|何地|谁|哪|怎么|如何)"

_OWNED = re.compile(
    rf"^(?P<owner>[^,?]{{2,30}}?)的?(?P<role>{_ROLE})的(?P<rest>(?:[^,?的]{{1,10}})(?:是|为|有|在|叫)?{_ASKS_VALUE}[^,?]{{0,8}})$"
)
_BELONGS = re.compile(
    rf"^(?P<owner>[^,?]{{2,30}}?)的(?P<role>{_ROLE})(?P<rest>(?:在|属于|来自|隶属于|位于|任职于)哪[^,?]{{0,8}})$"
)
_WHO_ACTS = re.compile(
    rf"^(?P<act>{_ACTS}[^,?]{{1,24}}?)的(?P<actor>{_ACTOR})(?P<rest>(?:的[^,?]{{1,14}}{_ASKS_VALUE}[^,?]{{0,8}}|(?:在|属于|来自|隶属于|归|位于|成立于|毕业于)[^,?]{{0,8}}(?:哪|什么|何)[^,?]{{0,8}}))$"
)

# 单价为82万元的机组,额定功率是多少: a thing that is told by one value and asked for another.
_THING = r"(?:(?:(?!是|什么)[\u4e00-\u9fff]){0,6}(?:设备|机器人|机组|机床|机|泵|阀门?|型号|产品|装置|仪器|车|器|配件|备件|零件))"
_AT_VALUE = (
    r"(?:为|是|达到?)(?:每[台个件套]|约)?\d[\d,.]*\s?(?:万|亿)?(?:元|美元|欧元|kg|kW|mm|t|MPa|dB|千瓦|公斤|吨|毫米)"
)
_TOLD_BY_VALUE = re.compile(
    rf"^(?P<told>[^,?]{{2,30}}?{_AT_VALUE}(?:\([A-Za-z]\))?)的(?P<thing>{_THING}),?(?:它|其|它的|的)?(?P<rest>[^,?哪谁]{{2,20}}{_ASKS_VALUE}[^,?]{{0,8}})$"
)
_WHO_ACTS_AND = re.compile(
    rf"^(?P<place>[^,?]{{2,14}}?[中里上])?(?P<act>{_ACTS}[^,?]{{1,24}}?)的(?P<actor>{_ACTOR}),(?P<rest>[^?]{{2,50}}{_ASKS_VALUE}[^,?]{{0,8}})$"
)

_EN_ROLE = r"(?:supplier|manufacturer|contractor|subcontractor|vendor|maker|owner|manager|author|operator|distributor|landlord|installer|designer|builder|publisher|parent company|insurer|auditor|supervisor|producer)"
_EN_UNIT = r"(?:department|team|unit|division|office|person|engineer|supplier|company|contractor|subcontractor|vendor|manufacturer|firm|agency|bank|laboratory|lab|committee|technician|lawyer|auditor|consultant|manager|director|organi[sz]ation)"
_EN_HEAD = r"(?:who\s+(?:is|was)\s+(?:the\s+)?[\w\s-]{3,30}\s+(?:of|for|at|in)|(?:what|where|when|which)\s+(?:is|was|are)\s+the\s+[\w\s-]{3,40}\s+(?:of|for|at|in)|who\s+(?:supervises|manages|leads|heads|owns|founded|employs|runs)|(?:in|at|to)\s+(?:what|which)\s+\w+\s+(?:is|was|does|did)|where\s+(?:is|was|are)|when\s+was|how\s+(?:many|much|old|large|long)[\w\s-]{0,24}\s+(?:does|do|did|is|has))"
_EN_WHO_ACTS = re.compile(
    rf"^(?P<head>{_EN_HEAD})\s+the\s+(?P<unit>{_EN_UNIT})\s+(?:that|which|who)\s+(?P<act>(?!must|shall|should|may|can\b)\w+\s.+?)(?P<tail>\s+(?:based|located|registered|headquartered|founded|established|belong|sit|employ|work|report))?(?:\s+(?:to|in|for))?\s*\?*$",
    re.IGNORECASE,
)
_EN_OWNED = re.compile(
    rf"^(?P<head>(?:what|who|where|when|which)\s+(?:is|was|are)\s+the\s+[\w\s-]{{3,40}}?\s+(?:of|for))\s+the\s+(?P<role>{_EN_ROLE})\s+of\s+(?P<owner>(?!(?:a|an|any|each|every)\s).+?)\s*\?*$",
    re.IGNORECASE,
)
_EN_POSSESSIVE = re.compile(
    rf"^(?P<head>(?:what|who|where|when)\s+(?:is|was|are))\s+(?P<owner>(?:the\s+)?[\w\s-]{{2,40}}?)'s\s+(?P<role>{_EN_ROLE})'s\s+(?P<attribute>[\w\s-]{{3,40}}?)\s*\?*$",
    re.IGNORECASE,
)
_ENGLISH_OFFICE = re.compile(
    r"\b(?:duties|obligations?|responsibilit|qualifications?|role|purpose|meaning|definition|rights|powers)",
    re.IGNORECASE,
)


def chain(asked: Asked) -> Decomposition | None:
    """The question for the name and the question about its bearer, or None where the nesting is not clear."""
    body = asked.body.strip("?。 ")
    if len(re.findall(r"[?？]", asked.body)) > 1:
        return None
    drafts = _chinese(body) if asked.language == "zh" else _english(asked.body)
    if not drafts:
        return None
    led = [draft._replace(text=f"{asked.lead}{draft.text}") for draft in drafts[:1]] + drafts[1:]
    return assembled(led, asked.language, QuestionType.MULTI_HOP, Combination.CHAIN)


def has_nested_name(text: str) -> bool:
    """Whether a text speaks of the holder of a role for something (X的供应商, the supplier of X)."""
    chinese = re.search(rf"[A-Za-z0-9]的?{_ROLE}|{_ACTS}[^,?]{{2,20}}的{_ACTOR}", text)
    english = re.search(rf"\b{_EN_ROLE}s? of \w|\b{_EN_UNIT} (?:that|which|who) \w", text, re.IGNORECASE)
    return chinese is not None or english is not None


def _chinese(body: str) -> list[Draft]:
    if found := _WHO_ACTS.match(body):
        if re.match(rf"的?{_ABOUT_ITSELF}", found["rest"]) or _OF_THE_OFFICE.search(found["rest"]):
            return []
        return _linked(f"{_who(found['actor'])}{found['act']}", f"{{q1}}{found['rest']}")
    if found := _WHO_ACTS_AND.match(body):
        return _linked(f"{found['place'] or ''}{_who(found['actor'])}{found['act']}", f"{{q1}}{found['rest']}")
    if found := _TOLD_BY_VALUE.match(body):
        return _linked(f"{found['told']}的{found['thing']}是什么型号", f"{{q1}}的{found['rest']}")
    found = _OWNED.match(body) or _BELONGS.match(body)
    if found is None or _OF_THE_OFFICE.search(found["rest"]) or _GENERIC_OWNER.match(found["owner"]):
        return []
    joint = "的" if found.re is _OWNED else ""
    return _linked(f"{found['owner']}的{found['role']}是谁", f"{{q1}}{joint}{found['rest']}")


def _who(actor: str) -> str:
    return "谁" if re.search(r"人|同事|工程师|经理|主管|专员|律师", actor) else f"哪个{actor}"


def _english(body: str) -> list[Draft]:
    if found := _EN_WHO_ACTS.match(body):
        if _ENGLISH_OFFICE.search(found["head"]):
            return []
        person = re.search(
            r"person|engineer|technician|lawyer|auditor|consultant|manager|director", found["unit"], re.IGNORECASE
        )
        who = "Who" if person else f"Which {found['unit']}"
        return _linked(f"{who} {found['act']}", f"{found['head']} {{q1}}{found['tail'] or ''}")
    if found := _EN_OWNED.match(body):
        if _ENGLISH_OFFICE.search(found["head"]) or re.fullmatch(
            r"(?:the )?(?:company|contract|employer|organi[sz]ation)", found["owner"], re.IGNORECASE
        ):
            return []
        return _linked(f"Who is the {found['role']} of {found['owner']}", f"{found['head']} {{q1}}")
    if found := _EN_POSSESSIVE.match(body):
        return _linked(f"Who is {found['owner']}'s {found['role']}", f"{found['head']} {{q1}}'s {found['attribute']}")
    return []


def _linked(first: str, last: str) -> list[Draft]:
    return [Draft(first), Draft(last, depends_on=("q1",))]
