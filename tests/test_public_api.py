"""The public face: what `import aitia` offers, and nothing besides."""

import aitia
from aitia import errors


def test_all_is_sorted_and_exact() -> None:
    assert list(aitia.__all__) == sorted(aitia.__all__)
    public = {name for name, value in vars(aitia).items() if _is_offered(name, value)}
    assert public <= set(aitia.__all__)
    assert all(hasattr(aitia, name) for name in aitia.__all__)


def _is_offered(name: str, value: object) -> bool:
    ours = isinstance(value, type) and value.__module__.startswith("aitia.")
    return ours and not name.startswith("_")


def test_every_error_is_offered_and_drawn() -> None:
    tree = errors.__doc__ or ""
    made = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.AitiaError)
    }
    assert made <= set(aitia.__all__)
    for name in made:
        line = next(line for line in tree.splitlines() if f" {name} " in f" {line} ")
        assert f"exit {getattr(errors, name).exit_code}" in line
