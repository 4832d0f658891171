"""The vector leg: what an embedder must do, and the index over its vectors."""

from .floor import VectorFloor
from .index import FaissIndex, Part
from .protocol import Embedder, EncodingEmbedder, VectorHit, VectorIndex, gives_sparse
from .segment import Segment
from .sparse import SparseIndex

__all__ = [
    "Embedder",
    "EncodingEmbedder",
    "FaissIndex",
    "Part",
    "Segment",
    "SparseIndex",
    "VectorFloor",
    "VectorHit",
    "VectorIndex",
    "gives_sparse",
]
