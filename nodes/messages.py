"""What the product itself says to the user, in the question's language."""

from __future__ import annotations

_MESSAGES: dict[str, dict[str, str]] = {
    "hello": {
        "zh": "你好！请就资料库里的文件提问，我会给出每句话的出处。",
        "en": "Hello! Ask about the documents in this library; I will show where each sentence stands.",
    },
    "empty": {
        "zh": "问题是空的，请写出想知道什么。",
        "en": "The question is empty: say what you want to know.",
    },
    "too_long": {
        "zh": "问题太长（上限 {limit} 个字符），请缩短或拆成几个问题。",
        "en": "The question is too long (the limit is {limit} characters): shorten it or split it up.",
    },
    "noted": {"zh": "好的，已记下：{said}", "en": "Noted: {said}"},
    "not_noted_off": {
        "zh": "没有记下：这里没有启用记忆。",
        "en": "This was not noted: memory is switched off here.",
    },
    "not_noted_nobody": {
        "zh": "没有记下：不知道您是谁，也不在一次连续的对话里，记下也无法再找到。",
        "en": "This was not noted: it is not known who you are, and there is no conversation that it could belong to.",
    },
    "not_noted_steers": {
        "zh": "没有记下：只能记住您说的关于自己的内容（例如所在部门），不能记住要求今后如何回答的指令。",
        "en": "This was not noted: only what you say of yourself (your department, say) can be, and no instructions on"
        " how to answer.",
    },
    "last_question": {"zh": "您上一个问题是：{said}", "en": "Your last question was: {said}"},
    "no_last_question": {
        "zh": "在这次对话里，没有您之前提的问题。",
        "en": "There is no earlier question of yours in this conversation.",
    },
    "not_found": {
        "zh": "资料库中没有找到能回答这个问题的内容，建议咨询相关负责人。",
        "en": "The documents here do not answer this question; please ask the person in charge.",
    },
    "not_found_parts": {
        "zh": "资料库中没有找到关于“{parts}”的内容，无法回答，建议咨询相关负责人。",
        "en": "The documents here say nothing about {parts}; please ask the person in charge.",
    },
    "cannot_compare": {
        "zh": "无法比较，资料中没有提到：{parts}。已找到的内容：",
        "en": "No comparison is possible; not in the documents: {parts}. What was found:",
    },
    "comparison_open": {
        "zh": "以上是查到的内容；规则无法可靠地得出比较结论，请自行比较。",
        "en": "This is what was found; rules could not compare it with certainty: please compare it yourself.",
    },
    "missing": {
        "zh": "资料中没有提到：{parts}。",
        "en": "Not in the documents: {parts}.",
    },
    "removed": {
        "zh": "有 {count} 句话没有依据，已删去。",
        "en": "Sentences removed for lack of support: {count}.",
    },
    "model_failed": {
        "zh": "模型没有给出可用的回答（{reason}），以下内容直接摘自文件。",
        "en": "The model gave no usable answer ({reason}); what follows is quoted from the documents.",
    },
    "model_unsupported": {
        "zh": "模型的回答没有通过核对，以下内容直接摘自文件。",
        "en": "The model's answer did not hold against its sources; what follows is quoted from the documents.",
    },
    "budget_used_up": {
        "zh": "预算（{what}）已用完，以下内容可能不完整。",
        "en": "The budget ({what}) is used up; what follows may be incomplete.",
    },
    "search_stopped": {
        "zh": "继续查找已没有进展，以下内容可能不完整，建议补充更多细节。",
        "en": "Searching on brought nothing new; what follows may be incomplete. More detail in the question may help.",
    },
    "unclear": {
        "zh": "问题不够明确，无法查找：请写出问的是哪份文件、哪个项目或哪样东西，以及想知道它的什么。",
        "en": "The question is not clear enough to look up: name the document, project or thing, and what you want to"
        " know about it.",
    },
    "side": {
        "zh": "《{source}》：{statement}",
        "en": "{source}: {statement}",
    },
    "in_domain": {
        "zh": "{domain}领域（《{document}》）：{statement}",
        "en": "In the domain {domain} ({document}): {statement}",
    },
    "in_no_domain": {
        "zh": "未分领域（《{document}》）：{statement}",
        "en": "In no domain ({document}): {statement}",
    },
    "version": {
        "zh": "现行版本是《{document}》：{statement}",
        "en": "The version in force is {document}: {statement}",
    },
    "lost_newer_edition": {
        "zh": "较早的版本说法不同：{side}",
        "en": "An earlier edition differs: {side}",
    },
    "lost_higher_authority": {
        "zh": "效力较低的资料说法不同：{side}",
        "en": "A document of lower authority differs: {side}",
    },
    "lost_more_specific": {
        "zh": "较笼统的资料说法不同：{side}",
        "en": "A more general statement differs: {side}",
    },
    "lost_documents_first": {
        "zh": "先前的问答说法不同：{side}",
        "en": "What was said before differs: {side}",
    },
    "conflict_documents_first": {
        "zh": "与先前的问答不一致，以文档《{document}》为准：{sides}",
        "en": "What was said before differs; the document {document} holds: {sides}",
    },
    "conflict_lead": {
        "zh": "资料之间说法不一致，无法判定以哪个为准：",
        "en": "The documents disagree, and nothing says which one holds:",
    },
    "conflict_open": {
        "zh": "资料之间说法不一致，无法判定：{sides}",
        "en": "The documents disagree, and nothing says which one holds: {sides}",
    },
    "conflict_newer_edition": {
        "zh": "资料之间说法不一致，以较新的《{document}》为准：{sides}",
        "en": "The documents disagree; the newer {document} is followed: {sides}",
    },
    "conflict_higher_authority": {
        "zh": "资料之间说法不一致，以效力较高的《{document}》为准：{sides}",
        "en": "The documents disagree; {document} has the higher authority and is followed: {sides}",
    },
    "conflict_more_specific": {
        "zh": "资料之间说法不一致，以规定更具体的《{document}》为准：{sides}",
        "en": "The documents disagree; {document} is more specific and is followed: {sides}",
    },
    "brake_tokens": {"zh": "词元", "en": "tokens"},
    "brake_steps": {"zh": "步数", "en": "steps"},
    "brake_seconds": {"zh": "时间", "en": "time"},
    "tool_failed": {
        "zh": "查找没有完成（{reason}），回答可能不完整。",
        "en": "A search was not completed ({reason}); the answer may be incomplete.",
    },
    "failed_invalid_arguments": {"zh": "{tool}的参数不合要求", "en": "the arguments of {tool} are not sound"},
    "failed_unknown_tool": {"zh": "没有“{tool}”这个工具", "en": "there is no tool {tool}"},
    "failed_transient": {
        "zh": "{tool}暂时没有回应或超过了时限，稍后可以再试",
        "en": "{tool} does not answer at the moment; trying later may help",
    },
    "failed_failed": {"zh": "{tool}出了错，没有结果", "en": "{tool} failed"},
    "failed_refused": {"zh": "没有得到允许", "en": "it is not allowed"},
    "failed_uncertain": {"zh": "执行途中中断", "en": "it was broken off"},
    "failed_impossible": {"zh": "{tool}没有结果", "en": "{tool} has no result"},
    "cannot_compute": {"zh": "无法计算“{part}”：{reason}。", "en": "This cannot be computed ({part}): {reason}."},
    "tool_lacks": {
        "zh": "要办理“{part}”，还需要说明：{missing}。",
        "en": "To do this ({part}), please also state: {missing}.",
    },
    "source_unusable": {
        "zh": "这里声明的“{source}”不能使用，没有查询（`veriloop tools list` 说明原因）。",
        "en": "{source} is declared here, cannot be used and was not asked (`veriloop tools list` says why).",
    },
    "call_waiting": {
        "zh": "操作“{call}”需要人工批准，尚未执行（编号 {id}），参数：{arguments}",
        "en": "The operation {call} needs a person's consent; nothing has been done yet (id {id}). Arguments:"
        " {arguments}",
    },
    "call_refused": {
        "zh": "操作“{call}”没有执行（{reason}）。",
        "en": "The operation {call} was not carried out ({reason}).",
    },
    "call_failed": {
        "zh": "操作“{call}”执行失败（{reason}）。",
        "en": "The operation {call} failed ({reason}).",
    },
    "call_uncertain": {
        "zh": "操作“{call}”是否已经执行无法确定（{reason}）。为避免重复，没有再次执行，请先核实。",
        "en": "Whether the operation {call} was carried out is not known ({reason}). It was not made again: please"
        " check before you repeat it.",
    },
    "call_done": {
        "zh": "操作“{call}”已经执行。返回：{result}",
        "en": "The operation {call} was carried out. It returned: {result}",
    },
    "replaced_version": {
        "zh": "{document}引用的是以前的版本（自{since}起；资料库中于{until}被新版本替换）。",
        "en": "{document} is cited in an earlier version (since {since}; replaced here on {until}).",
    },
    "superseded": {
        "zh": "{document}已被{by}取代。",
        "en": "{document} has been replaced by {by}.",
    },
    "unread_pages": {
        "zh": "注意：{document} 有 {counted} 页未能读出（第 {pages} 页）。",
        "en": "Note: {counted} of {document} could not be read (p. {pages}).",
    },
}


def message(name: str, language: str, **fields: object) -> str:
    """A message with its fields filled in; fields are inserted as they are, never read as templates."""
    text = _MESSAGES[name][language]
    for field, value in fields.items():
        text = text.replace("{" + field + "}", str(value))
    return text
