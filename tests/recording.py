"""What `why` tells of a recorded run, to be held against what was done."""

from aitia.model.graph import CausalGraph


def chain(graph: CausalGraph) -> list[str]:
    """The words of what lies behind, effects before causes, goals left out."""
    kinds = ("Goal", "UserInput", "Claim", "Decision")
    return [
        f"{node.kind} {node.label}"
        for node in graph.nodes.values()
        if node.kind not in kinds
    ]


def links(graph: CausalGraph) -> set[tuple[str, str, str, str]]:
    names = {iri: node.label for iri, node in graph.nodes.items()}
    return {(names[x.effect], x.kind, names[x.cause], x.basis) for x in graph.links}
