"""What an index folder says of itself: the last thing written, in one move."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Final

from aitia.errors import IndexMismatch

FILE: Final = "manifest.json"
LAYOUT: Final = 1
"""Version of the files and of the rules by which text becomes terms."""
MEND: Final = "`aitia index rebuild` makes the indexes anew from the store."


@dataclass(frozen=True)
class Manifest:
    """The state of the indexes. What lies beside it and is not told here is ignored.

    Attributes:
        generation: Name of the folder that holds the index files.
        position: Number of the last commit that is indexed.
        model: Name of the embedding model.
        model_version: Hash of the model's files.
        dimension: Numbers in a vector.
        vectors: Name of the current vector files, without their endings.
        rows: How many vectors they hold, dead ones too.
        id_bytes: Length of the file of ids, in bytes.
        dead: Rows whose passage was taken out.
        passages: How many passages are indexed.
        resources: How many resources are indexed.
        layout: `LAYOUT` when it was written.
    """

    generation: str
    position: int
    model: str
    model_version: str
    dimension: int
    vectors: str = "vectors-1"
    rows: int = 0
    id_bytes: int = 0
    dead: list[int] = field(default_factory=list)
    passages: int = 0
    resources: int = 0
    layout: int = LAYOUT


def load(folder: Path) -> Manifest | None:
    """Return the manifest of an index folder, None where there is none.

    Raises:
        IndexMismatch: It cannot be read, or another version of aitia wrote it.
    """
    try:
        found = json.loads((folder / FILE).read_text(encoding="utf-8"))
        if found["layout"] != LAYOUT:
            raise IndexMismatch("The indexes are of another layout.", hint=MEND)
        return Manifest(**{item.name: found[item.name] for item in fields(Manifest)})
    except FileNotFoundError:
        return None
    except (NotADirectoryError, IsADirectoryError) as error:
        what = folder if folder.is_file() else folder / FILE
        raise IndexMismatch(
            f"{what} is not of the kind that the indexes need: a folder {folder.name},"
            f" and in it a file {FILE}.",
            hint=f"Move it away; {MEND}",
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise IndexMismatch(f"{folder / FILE} cannot be read.", hint=MEND) from error


def save(folder: Path, manifest: Manifest) -> None:
    """Write the manifest in one move: a reader sees the old one or the new one."""
    temporary = folder / f"{FILE}.{os.getpid()}.tmp"
    temporary.write_text(json.dumps(asdict(manifest)), encoding="utf-8")
    temporary.replace(folder / FILE)
