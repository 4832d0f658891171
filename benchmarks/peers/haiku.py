"""haiku.rag's hybrid search in LanceDB, over chunks that are cut and embedded already.

It needs an interpreter of its own (Python 3.12 or newer): `pip install haiku.rag-slim`, without Veriloop.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import ExitStack
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from .contract import CANDIDATES, Build, Search, Vectors, Workload


def hybrid(workload: Workload) -> Build:
    """Its default search, without a reranker (none is configured by default)."""
    import_module("haiku.rag.client")
    passages = workload.passage_vectors()
    # Only its name and size are used: vectors are handed in.
    model = {"provider": "openai", "name": "ready", "vector_dim": passages.shape[1], "api_key": "none"}
    config = import_module("haiku.rag.config").AppConfig(
        embeddings={"model": {**model, "base_url": "http://127.0.0.1:9/v1"}}, storage={"auto_vacuum": False}
    )
    ready = _ReadyEmbedder(workload.vector_of())
    loop = asyncio.new_event_loop()

    def build(closing: ExitStack) -> Search:
        folder = Path(tempfile.mkdtemp(dir=workload.folder))
        client = loop.run_until_complete(_filled(folder / "library.lancedb", config, workload))
        closing.callback(lambda: loop.run_until_complete(client.__aexit__(None, None, None)))
        client.chunk_repository.embedder = ready

        def search(question: str) -> list[int]:
            found = loop.run_until_complete(client.search(question, limit=CANDIDATES, include_images=False))
            return [int(result.chunk_meta["row"]) for result in found]

        return search

    return build


class _ReadyEmbedder:
    """What haiku.rag asks for the vector of a question."""

    def __init__(self, vectors: dict[str, Vectors]) -> None:
        self._vectors = {text: vector.tolist() for text, vector in vectors.items()}

    async def embed_query(self, text: str) -> list[float]:
        """The vector that is ready."""
        found: list[float] = self._vectors[text]
        return found


async def _filled(path: Path, config: Any, workload: Workload) -> Any:
    rag = import_module("haiku.rag.client")
    document_import = import_module("haiku.rag.client.documents").DocumentImport
    chunk = import_module("haiku.rag.store.models.chunk").Chunk
    docling = import_module("docling_core.types.doc").DoclingDocument
    vectors = workload.passage_vectors()
    client = await rag.HaikuRAG(path, config=config, create=True).__aenter__()
    imports = []
    for name, rows in groupby(range(len(workload.texts)), key=lambda row: workload.documents[row]):
        chunks = [
            chunk(content=workload.texts[row], order=order, metadata={"row": row}, embedding=vectors[row].tolist())
            for order, row in enumerate(rows)
        ]
        imports.append(document_import(docling(name=name), chunks, uri=f"file:///{name}", title=name))
    await client.import_documents(imports)
    # Brings the full-text index up to all rows.
    await client.vacuum(0)
    return client
