"""The gate judges a change as whole-graph pySHACL and the rules judge the whole store."""

from collections import Counter
from random import Random

import pytest

from aitia.errors import ShapeViolation
from aitia.gate import Gate, judgement, overlay
from aitia.model import Admitted, Patch
from aitia.store import OxigraphStore
from tests.gate_edits import EDITS, Editor, Nothing
from tests.gate_reference import Whole, reported, shacl
from tests.gate_steps import stepped
from tests.world_catalog import Maker
from tests.world_run import RunMaker

LARGEST = 800
"""Quads of a world above which it is made anew: the reference looks at all of them for
every edit, which takes 0.1 to 0.2 s of processor time; the gate takes some ms."""


class Trial:
    """A world that random edits are tried on; those let in change it.

    Attributes:
        misses: Edits that the gate let in and the reference did not.
        alarms: Edits that the gate refused and the reference did not.
        unlike: Edits that both refused, for different reasons.
        tried: Edit → how often.
        bad: Edit → how often it broke something.
    """

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.gate = Gate()
        self.misses: list[str] = []
        self.alarms: list[str] = []
        self.unlike: list[str] = []
        self.tried: Counter[str] = Counter()
        self.bad: Counter[str] = Counter()
        self.begin()

    def begin(self) -> None:
        """Make the world anew."""
        self.made = Maker(self.rng)
        self.made.document(0)
        self.made.reviewed_proposal()
        RunMaker(self.made).tell()
        self.store = OxigraphStore()
        admitted = self.gate.admit(self.store, Patch(frozenset(self.made.quads)))
        self.store.apply(admitted, [])

    def run(self, count: int) -> None:
        """Try a number of edits."""
        while self.tried.total() < count:
            quads = sorted(self.store.quads(), key=str)
            if not 250 < len(quads) < LARGEST:
                self.begin()
                continue
            name = self.rng.choice(EDITS)
            try:
                patch = getattr(Editor(self.rng, quads, self.made), name)()
            except Nothing:
                continue
            self.judge(name, patch)

    def judge(self, name: str, patch: Patch) -> None:
        """Let the gate and the reference judge one edit and compare."""
        before = set(self.store.quads())
        after = (before - patch.deletes) | patch.adds
        scratch = OxigraphStore()
        scratch.apply(_as_admitted(Patch(frozenset(after))), [])
        whole = list(scratch.quads())
        found = shacl(whole)
        rules = Whole(whole).broken() | stepped(before, whole)
        good = found == set() and not rules
        self.tried[name] += 1
        self.bad[name] += not good
        told = f"{name}: +{set(patch.adds)} -{set(patch.deletes)}: {found} {rules}"
        try:
            admitted = self.gate.admit(self.store, patch)
        except ShapeViolation as error:
            if good:
                self.alarms.append(f"{told} {error}")
            elif found is not None and reported(error.report) != found:
                self.unlike.append(f"{told} {reported(error.report) ^ found}")
            return
        if not good:
            self.misses.append(told)
        else:
            self.store.apply(admitted, [])


def _as_admitted(patch: Patch) -> Admitted:
    return Admitted(patch, "")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_edits_are_judged_as_the_whole_store_is(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if seed == 3:  # as if every node had many triples and every patch many nodes
        monkeypatch.setattr(overlay, "WHOLE", 2)
        monkeypatch.setattr(judgement, "BATCH", 2)
    trial = Trial(seed)
    trial.run(50)
    assert trial.misses == []
    assert trial.alarms == []
    assert trial.unlike == []


@pytest.mark.full
@pytest.mark.parametrize("seed", range(100, 112))
def test_thousands_of_edits_are_judged_as_the_whole_store_is(seed: int) -> None:
    trial = Trial(seed)
    trial.run(400)
    for name in sorted(trial.tried):
        print(f"{name}: {trial.tried[name]} tried, {trial.bad[name]} bad")
    assert (trial.misses, trial.alarms, trial.unlike) == ([], [], [])
    assert set(EDITS) == set(trial.tried)
