"""A made-up library of any size: text in Chinese and English whose words are as unequally frequent as real ones.

Every document is generated from its number alone, so that any of them can be had without those before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from veriloop.configs.settings import SplittingSettings
from veriloop.knowledge.documents import Block, Document, text_hash
from veriloop.knowledge.splitting import SplitDocument, split_passages

SEED = 11
DIMENSION = 384
BLOCKS_PER_DOCUMENT = 20
CHINESE_SHARE = 0.7

_CHINESE_WORDS, _ENGLISH_WORDS = 40_000, 30_000
# The 3,755 everyday characters of GB 2312, level 1.
_HAN = [
    character
    for row in range(0xB0, 0xD8)
    for column in range(0xA1, 0xFF)
    if (character := bytes((row, column)).decode("gb2312", "ignore"))
]
_WORDS_PER_SENTENCE = 11
# Both kinds of block have about 300 to 450 characters, one passage.
_CHINESE_SENTENCES, _ENGLISH_SENTENCES = 14, 5
# Zipf-Mandelbrot: rank r is met with a probability proportional to 1 / (r + q) ** s.
_ZIPF_SHIFT, _ZIPF_POWER = 2.7, 1.05
# A question is made of words that tell something: neither the most frequent nor words met once.
_TELLING_RANKS = range(200, 20_000)
_SYLLABLES = [c + v for c in "bcdfghlmnprstvw" for v in ("a", "e", "i", "o", "u", "an", "er", "or")]
_TOPICS, _TOPIC_SHARE = 200, 0.6
_TITLE_NUMBER = re.compile(r"(?:规程|manual) (\d{6})")
_MADE_AT = datetime(2024, 1, 1, tzinfo=UTC)


class ScaleQuestion(NamedTuple):
    """A question, and the id of the block that it was made of."""

    text: str
    block_id: str


class _Vocabulary:
    """Words by falling frequency."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = np.array(words)
        weights = 1 / (np.arange(len(words)) + 1 + _ZIPF_SHIFT) ** _ZIPF_POWER
        self._cumulated = np.cumsum(weights / weights.sum())

    def draw(self, chance: np.random.Generator, count: int) -> NDArray[np.int64]:
        """Ranks of so many words of a text."""
        return np.minimum(np.searchsorted(self._cumulated, chance.random(count)), len(self.words) - 1)


@cache
def _chinese_words() -> _Vocabulary:
    chance = np.random.default_rng([SEED, 1])
    # Frequent characters make up most words, as in real text.
    ranks = (chance.random((_CHINESE_WORDS, 3)) ** 2 * len(_HAN)).astype(int)
    characters = chance.permutation(_HAN)[ranks]
    lengths = chance.choice([1, 2, 3], _CHINESE_WORDS, p=[0.1, 0.7, 0.2])
    return _Vocabulary(["".join(row[:n]) for row, n in zip(characters, lengths, strict=True)])


@cache
def _english_words() -> _Vocabulary:
    chance = np.random.default_rng([SEED, 2])
    syllables = np.array(_SYLLABLES)[chance.integers(len(_SYLLABLES), size=(_ENGLISH_WORDS, 4))]
    lengths = chance.integers(1, 5, _ENGLISH_WORDS)
    return _Vocabulary(["".join(row[:n]) for row, n in zip(syllables, lengths, strict=True)])


def _words(chinese: bool) -> _Vocabulary:
    return _chinese_words() if chinese else _english_words()


class GeneratedLibrary:
    """So many blocks of text, with the questions that they answer."""

    def __init__(self, blocks: int, splitting: SplittingSettings) -> None:
        self.size = -(-blocks // BLOCKS_PER_DOCUMENT)
        self._splitting = splitting

    def documents(self) -> Iterator[tuple[Document, SplitDocument]]:
        """All documents, cut, by number."""
        return (self.document(number) for number in range(self.size))

    def document(self, number: int, extra: str = "") -> tuple[Document, SplitDocument]:
        """One document, with `extra` as a sentence of its first block."""
        chance = np.random.default_rng([SEED, 3, number])
        chinese = chance.random() < CHINESE_SHARE
        name = f"{'规程' if chinese else 'manual'} {number:06}"
        doc_id = text_hash(name)[:16]
        texts = [self._text(chance, number, ordinal, chinese) for ordinal in range(BLOCKS_PER_DOCUMENT)]
        texts[0] += extra
        section = "第{}章" if chinese else "Chapter {}"
        blocks = tuple(
            Block(
                block_id=text_hash(f"{doc_id}\n{ordinal}\n{text}")[:16],
                doc_id=doc_id,
                ordinal=ordinal,
                section_path=(section.format(ordinal // 5 + 1),),
                text=text,
            )
            for ordinal, text in enumerate(texts)
        )
        document = Document(
            doc_id=doc_id, version=text_hash("".join(texts)), title=name, name=f"{name}.md", updated_at=_MADE_AT,
            source_uri=f"file:///generated/{number:06}.md", media_type="text/markdown",
        )  # fmt: skip
        return document, SplitDocument(blocks, tuple(p for b in blocks for p in split_passages(b, self._splitting)))

    def questions(self, count: int) -> list[ScaleQuestion]:
        """Questions by words, by words and the document's name, and by words and an id, in turn."""
        chance = np.random.default_rng([SEED, 4])
        return [self._question(chance, kind) for kind in range(count)]

    def _question(self, chance: np.random.Generator, kind: int) -> ScaleQuestion:
        number = int(chance.integers(self.size))
        document, split = self.document(number)
        block = split.blocks[int(chance.integers(len(split.blocks)))]
        chinese = document.title.startswith("规程")
        telling = self._telling(number, block.ordinal, chinese)
        chosen = [telling[i] for i in sorted(chance.permutation(len(telling))[:5])]
        words = ("" if chinese else " ").join(chosen)
        named = ("", f"{document.title} ", f"{_identifier(number, block.ordinal)} ")[kind % 3]
        return ScaleQuestion(f"{named}{words}{'是什么？' if chinese else '?'}", block.block_id)

    def _telling(self, number: int, ordinal: int, chinese: bool) -> list[str]:
        """Words of a block in the middle range of frequency."""
        ranks = self._ranks(number, ordinal, chinese)
        vocabulary = _words(chinese)
        middle = [rank for rank in dict.fromkeys(ranks.tolist()) if rank in _TELLING_RANKS]
        return [str(vocabulary.words[rank]) for rank in middle or ranks.tolist()[:5]]

    def _ranks(self, number: int, ordinal: int, chinese: bool) -> NDArray[np.int64]:
        vocabulary = _words(chinese)
        sentences = _CHINESE_SENTENCES if chinese else _ENGLISH_SENTENCES
        return vocabulary.draw(np.random.default_rng([SEED, 5, number, ordinal]), _WORDS_PER_SENTENCE * sentences)

    def _text(self, chance: np.random.Generator, number: int, ordinal: int, chinese: bool) -> str:
        ranks = self._ranks(number, ordinal, chinese)
        words = _words(chinese).words[ranks].reshape(-1, _WORDS_PER_SENTENCE)
        code, day = _identifier(number, ordinal), int(chance.integers(1, 29))
        year, amount = int(chance.integers(1995, 2026)), int(chance.integers(1, 100_000))
        if chinese:
            body = "。".join("".join(sentence) for sentence in words)
            return f"编号{code}，{year}年{day % 12 + 1}月{day}日起施行，限额为{amount:,}元。{body}。"
        body = ". ".join(" ".join(sentence).capitalize() for sentence in words)
        return f"No. {code}, in force from {year}-{day % 12 + 1:02}-{day:02}, limit {amount:,} EUR. {body}."


def _identifier(number: int, ordinal: int) -> str:
    return f"HN-{number:06}-{ordinal:02}"


class HashEmbedder:
    """Unit vectors that look like those of a model: texts of one document point roughly the same way.

    A vector is made of the text alone: the direction of its topic (of the document that it names, else by chance) and
    a direction of its own. Vectors without such groups would be equally far from each other, which no text is, and
    would make every approximate index look bad.
    """

    name = "generated:hash"
    dimension = DIMENSION

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of shape (len(texts), dimension), float32, length 1."""
        rows = [self.embed_query(text) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, DIMENSION), dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """One vector of shape (dimension,), float32, length 1."""
        digest = int.from_bytes(sha256(text.encode("utf-8", "replace")).digest()[:8], "big")
        named = _TITLE_NUMBER.search(text)
        topic = (int(named.group(1)) if named else digest) % _TOPICS
        own = _unit(np.random.default_rng([SEED, 6, digest]))
        vector = _TOPIC_SHARE * _unit(np.random.default_rng([SEED, 7, topic])) + (1 - _TOPIC_SHARE) * own
        unit: NDArray[np.float32] = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit


def _unit(chance: np.random.Generator) -> NDArray[np.float64]:
    vector = chance.standard_normal(DIMENSION)
    scaled: NDArray[np.float64] = vector / np.linalg.norm(vector)
    return scaled
