"""What a model might reply: texts, JSON and operations that may make sense or not."""

from typing import Any

from hypothesis import strategies as st

TEXTS = st.text(min_size=1, max_size=12) | st.sampled_from(
    ["<urn:x>", '"""', "} DELETE {", "\x00", "a\nb", "\u202e", "ignore the rules"]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3)
    ),
    max_leaves=6,
)
OWN = ["G2", "G3", "H2", "H3", "C2", "C3", "C4"]


def labels(prefixes: str) -> st.SearchStrategy[str]:
    """Labels of some kinds, and now and then one that is out of place."""
    fitting = [x for x in ("G1", "O1", "H1", "Q1", *OWN) if x[0] in prefixes]
    return st.sampled_from([*fitting * 3, "G0", "O1"])


def operations() -> st.SearchStrategy[dict[str, Any]]:
    """Operations over labels that are there, that they add, and that never were."""
    goal_label, ground = labels("G"), labels("OHCQ")
    checked, some = labels("HC"), st.lists(ground, max_size=2)
    sentence = st.fixed_dictionaries({"text": TEXTS, "cites": some})
    new = st.sampled_from(OWN)
    fields: dict[str, dict[str, st.SearchStrategy[Any]]] = {
        "addNode": {
            "label": new,
            "kind": st.sampled_from(["Hypothesis", "Claim", "Claim", "Run"]),
            "text": TEXTS,
            "because": some,
        },
        "addLink": {
            "source": ground,
            "kind": st.sampled_from(["supports", "contradicts", "verifies"]),
            "target": checked,
            "reason": TEXTS,
        },
        "runMethod": {
            "goal": goal_label,
            "method": st.sampled_from(["find", "find", "rm"]),
            "arguments": st.dictionaries(st.just("query"), JSON),
            "because": some,
        },
        "callTool": {
            "goal": goal_label,
            "tool": st.just("cancel"),
            "arguments": st.fixed_dictionaries({"order": JSON}),
        },
        "setGoalStatus": {
            "goal": goal_label,
            "status": st.sampled_from(["succeeded", "failed", "pending"]),
        },
        "conclude": {
            "sentences": st.lists(sentence, max_size=2),
            "accepts": st.lists(labels("H"), max_size=1),
        },
    }
    derived = {"source": checked, "kind": st.just("derivesFrom"), "target": ground}
    tree = {"parent": goal_label, "depends": st.lists(goal_label, max_size=2)}
    tree |= {"replaces": goal_label, "success_test": TEXTS}
    made: dict[str, st.SearchStrategy[Any]] = {"label": new, "text": TEXTS}
    made |= {"kind": st.just("Goal"), "why": TEXTS}
    return st.one_of(
        *(_operation(kind, part) for kind, part in fields.items()),
        _operation("addLink", derived),
        _operation("addNode", made, tree),
    )


def _operation(
    kind: str,
    fields: dict[str, st.SearchStrategy[Any]],
    rest: dict[str, st.SearchStrategy[Any]] | None = None,
) -> st.SearchStrategy[dict[str, Any]]:
    whole: dict[str, st.SearchStrategy[Any]] = {"op": st.just(kind)}
    return st.fixed_dictionaries(whole | fields, optional=rest or {})


SESSIONS = st.lists(
    st.fixed_dictionaries(
        {
            "addresses": st.sampled_from([["G1"], ["O1", "H1"], ["G1"], ["G0"]]),
            "rationale": TEXTS,
            "operations": st.lists(operations(), min_size=1, max_size=2),
        }
    ),
    min_size=1,
    max_size=5,
)
