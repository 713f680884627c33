"""Random valid worlds in our vocabulary, and hypothesis strategies over them.

`world(rng, size)` returns quads that conform to every shape in shapes/ (model.ttl, which
judges patches of a model, apart). The same seed gives the same world.
"""

from random import Random

from hypothesis import strategies as st
from pyoxigraph import Quad

from tests.world_catalog import Maker
from tests.world_run import RunMaker


def world(rng: Random, size: int) -> list[Quad]:
    """Return a valid world of `size` documents and as many runs, each quad once."""
    made = Maker(rng)
    for number in range(size):
        made.document(number)
    made.reviewed_proposal()
    for _ in range(size):
        RunMaker(made).tell()
    return list(dict.fromkeys(made.quads))


def seeds() -> st.SearchStrategy[int]:
    """Seeds of worlds: what fails is told, and shrunk, by a number or two."""
    return st.integers(min_value=0, max_value=2**32)


def sizes(most: int = 4) -> st.SearchStrategy[int]:
    """Sizes of worlds, up to `most` documents and as many runs."""
    return st.integers(min_value=1, max_value=most)
