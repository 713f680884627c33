"""The benchmark runner tells met from not met; the figures are no test's business."""

from tests.bench import run
from tests.bench.figures import Figure


def test_a_figure_is_met_below_or_above_its_limit() -> None:
    assert Figure("a", 1.4, limit=1.5).met == "met"
    assert Figure("a", 1.6, limit=1.5).met == "NOT met"
    assert Figure("a", 0.7, unit="", limit=0.68, better="above").met == "met"
    assert Figure("a", 0.6, unit="", limit=0.68, better="above").met == "NOT met"
    assert Figure("a", 0.6).met == Figure("a", 0.6).asked == ""
    assert Figure("a", 0.6, limit=2).asked == "at most 2 x"


def test_results_name_the_machine_and_every_figure() -> None:
    figure = Figure("cold start", 1.5, limit=2, note="60 ms")
    row = vars(figure) | {"met": figure.met, "asked": figure.asked}
    bench = {"title": "Cold starts", "seconds": 3.0, "figures": [row]}
    told = run.as_markdown({"machine": run.machine(), "benches": {"cold": bench}})
    assert "| cold start | 1.5 x | at most 2 x | met | 60 ms |" in told
    assert "cores" in told
    assert "pyoxigraph" in told


def test_every_benchmark_has_a_title_and_measures() -> None:
    for name in run.names():
        text = (run.HERE / f"bench_{name}.py").read_text("utf-8")
        assert text.startswith('"""')
        assert "def measure(options: Options) -> list[Figure]:" in text
