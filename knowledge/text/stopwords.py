"""Words that say nothing about what a text is about, in both languages."""

from __future__ import annotations

STOP_WORDS = frozenset(
    "的 了 和 与 及 或 是 在 为 对 于 以 之 其 而 且 也 都 就 被 把 将 向 从 由 到 等 这 那 此 该 各 每 并 但 若 则 即 又 还 所 者 "
    "个 上 下 中 内 不 有 应 可 能 会 要 他 她 它 我 你 您 们 我们 你们 他们 她们 它们 这个 那个 这些 那些 以及 或者 并且 "
    "a an the and or of to in on at by for with from as is are was were be been being it its this that these those "
    "he she they them his her their we our you your i me my not no do does did has have had will would shall should "
    "can could may might must than then there here such so if but into about also".split()
)
"""Left out of passages and questions alike."""

QUESTION_WORDS = STOP_WORDS | frozenset(
    "什么 甚么 何 何时 何地 何种 如何 怎么 怎样 怎么样 怎 哪 哪个 哪些 哪里 哪儿 哪种 哪几 哪一 哪位 哪年 谁 为什么 为何 吗 呢 吧 啊 多少 "
    "几 几个 多久 多长 多大 多高 是否 能否 可否 可不可以 是不是 有没有 请 请问 告诉 说明 一下 有 有哪些 是什么 指 些 么 "
    "what which who whom whose when where why how many much please tell list describe explain give according".split()
)
"""Left out of questions: the words that ask."""
