"""The ways from an effect back to a cause, told as text or as data."""

from __future__ import annotations

import json
from dataclasses import asdict

from aitia.model.graph import CausalGraph
from aitia.model.ways import Paths
from aitia.why.render import tree


def text(paths: Paths, graph: CausalGraph) -> str:
    """Return the shortest way, how many there are, and the strongest ones."""
    what = "ways, each cycle taken as one node" if paths.cyclic else "ways"
    many = f"{paths.count:,}" if paths.count < 10**15 else f"about {paths.count:.2e}"
    lines = [
        f"The shortest way, {len(paths.shortest)} links:",
        tree.chain(paths.shortest, graph),
        "There is 1 way.\n" if paths.count == 1 else f"There are {many} {what}.\n",
    ]
    if paths.count > 1:
        lines.append(f"The strongest {len(paths.strongest)}:")
        for i, (strength, links) in enumerate(paths.strongest, start=1):
            lines.append(f"{i}. strength {strength:.3g}, {len(links)} links")
            lines.append(tree.chain(links, graph))
    return "\n".join(lines)


def as_json(paths: Paths) -> str:
    """Return the ways as JSON text; the keys are the fields of `Paths`."""
    return json.dumps(asdict(paths), indent=2) + "\n"
