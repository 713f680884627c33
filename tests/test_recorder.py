"""The recorder as the author of an agent uses it, and what `why` makes of it."""

import asyncio
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import NamedNode

from aitia import Recorder, UsageError, Workspace
from aitia.gate import sets
from aitia.model.graph import CausalGraph
from aitia.recorder.known import GROUNDS
from aitia.recorder.told import as_json
from aitia.vocab import AITIA, PROV, RDF
from aitia.why.render.tree import tree


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path / "workspace") as opened:
        yield opened
        assert opened.validate().violations == ()
        assert opened.verify().findings == ()


@pytest.fixture
def r(workspace: Workspace) -> Iterator[Recorder]:
    with workspace.record("loan decision", agent="underwriter-1") as recorder:
        yield recorder


def links(graph: CausalGraph) -> set[tuple[str, str, str, str]]:
    """Each link by the labels of its ends, its kind and its basis."""
    names = {iri: f"{node.kind} {node.label}" for iri, node in graph.nodes.items()}
    return {(names[x.effect], x.kind, names[x.cause], x.basis) for x in graph.links}


def test_a_foreign_agent_is_asked_why_like_our_own(workspace: Workspace) -> None:
    with workspace.record("loan decision", agent="underwriter-1") as r:

        @r.call
        def bureau(applicant: dict[str, Any]) -> dict[str, Any]:
            """Asks the credit bureau for a score."""
            return {"score": 712}

        application = {"name": "Ada", "income": 4000}
        r.observe(application, "Ada earns 4,000 a month", source="form 7")
        score = bureau(application)
        pays = r.hypothesize("Ada can pay", because=application)
        r.support(pays, score, confidence=0.8, rule="share of like loans paid back")
        late = r.observe("Ada paid late once")
        r.contradict(pays, late, reason="she may again")
        made = r.decide("The loan is granted", because=[score], accepts=[pays])

    graph = workspace.why("last")
    assert graph.start == made.iri.value
    assert links(graph) >= {
        ("Decision The loan is granted", "derivesFrom", "Claim The loan is granted", "claimed"),
        ("Claim The loan is granted", "derivesFrom", "Hypothesis Ada can pay", "claimed"),
        ("Hypothesis Ada can pay", "supports", 'Observation {"score": 712}', "claimed"),
        ("Hypothesis Ada can pay", "contradicts", "Observation Ada paid late once", "claimed"),
        ('Observation {"score": 712}', "produced", "MethodExecution underwriter-1.bureau", "observed"),
        ("MethodExecution underwriter-1.bureau", "usedTool", "Observation Ada earns 4,000 a month", "observed"),
        ("Decision The loan is granted", "concludes", "Goal loan decision", "observed"),
    }  # fmt: skip
    assert [node.kind for node in graph.roots()] == ["UserInput"]
    observed = workspace.why("last", bases={"observed"})
    assert {node.kind for node in observed.nodes.values()} == {
        "Decision",
        "Goal",
        "UserInput",
    }
    [run] = workspace.runs()
    assert (run.status, run.conclusion, run.answer, run.agent) == (
        "succeeded",
        "Decision",
        "The loan is granted",
        "agent:underwriter-1",
    )


def test_what_nothing_here_checked_is_not_called_supported(
    r: Recorder, workspace: Workspace
) -> None:
    r.decide("granted", because=r.observe("a form"))
    claim = next(node for node in r.run.nodes if node.kind == "Claim")
    stated = workspace.store.quads(claim.iri, AITIA.supportState)
    assert [quad.object for quad in stated] == [AITIA.unsupported]


WRONG: dict[str, tuple[Callable[[Recorder], Any], str]] = {
    "unknown object": (lambda r: r.hypothesize("h", because=[object()]), "Nothing on record"),
    "unknown text": (lambda r: r.decide("d", because="never seen"), "Nothing on record"),
    "unknown id": (lambda r: r.support("hyp/9", "x"), "Nothing on record"),
    "confidence 7.5": (lambda r: r.hypothesize("h", confidence=7.5), "from 0 to 1, not 7.5"),
    "confidence nan": (lambda r: r.hypothesize("h", confidence=math.nan), "from 0 to 1"),
    "confidence yes": (lambda r: r.hypothesize("h", confidence=True), "from 0 to 1"),
    "no words": (lambda r: r.hypothesize("  "), "needs words"),
    "no reason": (lambda r: r.abort(""), "needs words"),
    "rests on nothing": (lambda r: r.decide("d"), "rests on something"),
    "not a hypothesis": (lambda r: r.support(r.observe("a"), r.observe("b")), "no hypothesis"),
    "no evidence": (lambda r: r.support(r.hypothesize("h"), []), "Name the evidence"),
    "an agent as evidence": (lambda r: r.decide("d", because="agent:underwriter-1"), "no evidence"),
    "a circle of one": (lambda r: r.support(h := r.hypothesize("h"), h), "circle"),
    "no name": (lambda r: r.call(" "), "has a name"),
    "not begun": (lambda r: r.call("x").returns(1), "has not begun"),
    "a generator": (lambda r: r.call(_counting), "generator"),
    "no mode": (lambda r: r.run.join("x", kind="robot"), "no kind 'robot'"),
    "accepts and rejects": (
        lambda r: r.decide("d", accepts=[h := r.hypothesize("h")], rejects=h),
        "accept and reject",
    ),
}  # fmt: skip


def _counting() -> Iterator[int]:
    yield 1


@pytest.mark.parametrize("mode", ["call", "batch", "async"])
@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_use_raises_at_the_call(
    wrong: str, mode: str, wrong_desk: Workspace
) -> None:
    use, reason = WRONG[wrong]
    with wrong_desk.record("a loan", agent="underwriter-1", mode=mode) as recorder:
        with pytest.raises(UsageError, match=reason):
            use(recorder)
        recorder.decide("goes on", because=recorder.observe("a form"))
    assert wrong_desk.runs()[0].status == "succeeded"


@pytest.fixture(scope="module")
def wrong_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with Workspace.open(tmp_path_factory.mktemp("wrong")) as opened:
        yield opened
        assert opened.validate().violations == ()


@pytest.mark.parametrize("mode", ["call", "batch"])
def test_a_longer_circle_is_refused_where_it_closes(
    mode: str, workspace: Workspace
) -> None:
    with workspace.record("a loan", agent="underwriter-1", mode=mode) as r:
        first, second = r.hypothesize("first"), r.hypothesize("second")
        third = r.hypothesize("third", because=second)
        r.support(second, first)
        with pytest.raises(UsageError, match="circle"):
            r.contradict(first, third)
        with r.call("test", given=[third]) as call, pytest.raises(UsageError):
            call.verifies(first)
        with pytest.raises(UsageError, match="already, by underwriter-1"):
            r.support(second, first)
        r.abort("only a test")


def test_a_second_decision_is_refused_with_the_first_named(r: Recorder) -> None:
    form = r.observe("a form")
    r.decide("granted", because=form)
    for again in (
        lambda: r.decide("refused", because=form),
        lambda: r.observe("more"),
        lambda: r.abort("late"),
        lambda: r.call("late").begin(),
    ):
        with pytest.raises(UsageError, match=r"its decision already.*granted"):
            again()


def test_a_closed_run_takes_nothing_more(workspace: Workspace) -> None:
    with workspace.record("a loan", agent="a") as r:
        r.abort("the customer left")
        with pytest.raises(UsageError, match="closed: it was aborted"):
            r.observe("more")
    with pytest.raises(UsageError, match="closed"):
        r.run.join("b")
    [run] = workspace.runs()
    assert (run.conclusion, run.answer) == ("Abort", "the customer left")


@pytest.mark.parametrize("mode", ["call", "batch", "async"])
def test_what_breaks_off_says_why(mode: str, workspace: Workspace) -> None:
    def breaks() -> None:
        with workspace.record("a loan", agent="a", mode=mode) as r:
            r.observe("a form")
            with r.call("divide", given={"by": 0}):
                raise ZeroDivisionError("by nothing")

    with pytest.raises(ZeroDivisionError):
        breaks()
    with workspace.record("another", agent="a", mode=mode) as r:
        r.observe("a form")
    later, first = workspace.runs()
    assert first.answer == "ZeroDivisionError: by nothing"
    assert "before anything was decided" in later.answer
    shown = workspace.store.quads(None, AITIA.error)
    assert [str(quad.object) for quad in shown] == ['"ZeroDivisionError: by nothing"']


def test_calls_are_recorded_whether_they_wait_or_not(
    r: Recorder, workspace: Workspace
) -> None:
    @r.call
    async def slow(number: int) -> list[int]:
        await asyncio.sleep(0)
        return [number]

    @r.call("sum of parts")
    def total(parts: list[list[int]]) -> int:
        return sum(map(sum, parts))

    async def both() -> list[list[int]]:
        async with r.call("together") as call:
            found = list(await asyncio.gather(slow(1), slow(2)))
            call.returns(found)
        return found

    parts = asyncio.run(both())
    assert total(parts) == 3
    reader = workspace.store
    outer = r.ref(parts)
    inner = [r.ref(part) for part in parts]
    made = {node.iri: next(reader.quads(None, AITIA.produced, node.iri)).subject
            for node in (outer, *inner)}  # fmt: skip
    for node in inner:
        stated = reader.quads(made[node.iri], AITIA.partOf, made[outer.iri])  # type: ignore[arg-type]
        assert len(list(stated)) == 1
    last = r.ref(3)
    execution = next(reader.quads(None, AITIA.produced, last.iri)).subject
    used = {q.object for q in reader.quads(execution, AITIA.usedTool)}  # type: ignore[arg-type]
    assert used == {outer.iri}
    assert last.agent == "underwriter-1"


def test_a_node_among_the_arguments_is_handed_on_as_its_object(r: Recorder) -> None:
    @r.call
    def twice(number: Any) -> int:
        return 2 * int(number)

    assert twice(r.observe(21)) == 42
    assert r.ref(42).kind == "Observation"


def test_equal_texts_are_no_data_flow_but_may_be_named(
    r: Recorder, workspace: Workspace
) -> None:
    @r.call
    def shout(text: str) -> str:
        return text.upper()

    seen = r.observe("a form")
    shout("a form")
    assert list(workspace.store.quads(None, AITIA.usedTool, seen.iri)) == []
    r.observe("a form")
    with pytest.raises(UsageError, match="Several nodes stand for") as raised:
        r.hypothesize("h", because="a form")
    assert f"r.ref('{seen.id}')" in raised.value.hint
    assert r.ref(seen.id) == seen
    assert r.hypothesize("h", because=["A FORM"]).kind == "Hypothesis"


def test_what_is_on_record_elsewhere_can_be_named(workspace: Workspace) -> None:
    with workspace.record("first", agent="a") as r:
        form = r.observe("a form")
        r.decide("granted", because=form)
    with workspace.record("second", agent="b") as r:
        r.decide("granted too", because=[form.id, f"{r.run.id}/input"])
    graph = workspace.why("last", bases={"claimed"})
    assert form.iri.value in graph.nodes


def test_several_agents_work_on_one_run(workspace: Workspace) -> None:
    with workspace.record("loan decision", agent="underwriter-1") as first:
        value = first.hypothesize("The house is worth 300,000")
        with first.run.join("appraiser", kind="person") as second:
            assert value in second.run.nodes
            seen = second.observe({"price": 310_000}, "Sold for 310,000 next door")
            second.support(value, seen)
            with pytest.raises(UsageError, match="on record already, by appraiser"):
                first.support(value, seen)
        made = first.decide("granted", accepts=[value], because=seen)
    graph = workspace.why("last")
    assert graph.nodes[seen.iri.value].agent == "urn:aitia:agent:appraiser"
    execution = next(x.cause for x in graph.links if x.effect == seen.iri.value)
    assert graph.nodes[execution].agent == "urn:aitia:agent:appraiser"
    assert graph.nodes[made.iri.value].agent == "urn:aitia:agent:underwriter-1"
    told = tree(graph)
    assert "by agent:appraiser" in told
    link = next(x for x in graph.links if x.kind == "supports")
    author = next(workspace.store.quads(NamedNode(link.node), PROV.wasAttributedTo))
    assert author.object == NamedNode("urn:aitia:agent:appraiser")
    kinds = workspace.store.quads(NamedNode("urn:aitia:agent:appraiser"), RDF.type)
    assert {quad.object for quad in kinds} == {AITIA.Person}


def test_a_test_verifies_or_refutes_what_was_supposed(workspace: Workspace) -> None:
    with workspace.record("a loan", agent="a") as r:
        pays, lies = r.hypothesize("Ada can pay"), r.hypothesize("The form lies")
        with r.call("check", given={"of": [pays, lies]}) as check:
            check.returns("fits")
            check.measured(0.9, "share of fields that fit")
            check.verifies(pays)
            check.refutes(lies)
        assert check.result is not None
        r.decide("granted", because=check.result, accepts=pays, rejects=lies)
    states = {
        node.label: node.status
        for node in workspace.why("last").nodes.values()
        if node.kind == "Hypothesis"
    }
    assert states == {"Ada can pay": "verified"}
    assert workspace.show(lies.id)


def test_secrets_are_blanked_out(r: Recorder, workspace: Workspace) -> None:
    secret = "sk-" + "a1b2c3d4" * 4
    r.observe({"key": secret, "url": "http://e/"}, f"key {secret}")
    with r.call("login", given=secret) as call:
        call.fails(f"refused {secret}")
    texts = [getattr(quad.object, "value", "") for quad in workspace.store.quads()]
    assert not [text for text in texts if secret in text]
    assert [text for text in texts if "████" in text]


class Broken:
    def __repr__(self) -> str:
        raise RuntimeError("no words")


def test_any_object_can_be_recorded(r: Recorder) -> None:
    circle: list[Any] = []
    circle.append(circle)
    deep: Any = "end"
    for _ in range(2000):
        deep = [deep]
    for value in (
        None,
        math.nan,
        "\ud800 half",
        b"\x00\xff",
        {1: {2, 3}, None: Broken()},
        circle,
        deep,
        10**5000,
        "x" * 100_000,
        "\x1b[31m",
        int,
        r,
    ):
        assert r.observe(value).kind == "Observation"


def test_json_of_objects_is_stable() -> None:
    told = as_json({"b": {3, 1}, "a": (1.5, math.inf), 2: b"ab"})
    assert told.startswith('{"2": {"bytes": 2, "sha256": "fb8e20fc')
    assert told.endswith('"a": [1.5, "inf"], "b": [1, 3]}')


def test_grounds_are_those_of_the_ontology() -> None:
    below = {kind for kind in GROUNDS if AITIA.Ground in sets.own().classes.up(kind)}
    assert below == GROUNDS


def test_the_guide_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guide = (Path(__file__).parents[1] / "docs" / "recorder.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    assert len(blocks) == 1
    for block in blocks:
        exec(compile(block, "recorder.md", "exec"), {})
    with Workspace.open("records", mode="read") as opened:
        told = tree(opened.why("last"))
    shown = re.findall(r"^    (decision .*|[├└│].*)$", guide, re.MULTILINE)
    assert len(shown) == 5
    for line in shown:
        assert line in told
