"""Finding resources by label, value, key and type, as data comes and goes."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from aitia.workspace import Workspace

DATA = {
    "customers": [
        {
            "customer_id": "noah_brown_6181",
            "name": {"first_name": "Noah", "last_name": "Brown"},
            "address": {"city": "Zürich"},
        },
        {
            "customer_id": "mia_garcia_4516",
            "name": {"first_name": "Mia", "last_name": "Garcia"},
            "address": {"city": "Ulm"},
        },
    ],
    "shipments": [
        {"shipment_id": "#W2890441", "customer_id": "noah_brown_6181", "phase": "sent"},
        {
            "shipment_id": "#W7678072",
            "customer_id": "mia_garcia_4516",
            "phase": "packed",
        },
    ],
}
TURTLE = """
@prefix e: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:WaterPump a rdfs:Class ; rdfs:label "water pump"@en, "水泵"@zh .
e:p1 a e:WaterPump ; rdfs:label "Pump A" ; e:place [ e:hall "Hall Seven" ] .
e:p2 a e:WaterPump ; rdfs:label "Pump B" ; e:feeds e:p1 .
"""


def ingested(folder: Path) -> Workspace:
    files = folder / "in"
    files.mkdir()
    (files / "shop.json").write_text(json.dumps(DATA), "utf-8")
    (files / "plant.ttl").write_text(TURTLE, "utf-8")
    workspace = Workspace.open(folder / "ws")
    report = workspace.ingest([files])
    assert [item.outcome for item in report.files] == ["added", "added"]
    return workspace


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace that no test changes."""
    with ingested(tmp_path_factory.mktemp("resources")) as opened:
        yield opened


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with ingested(tmp_path) as opened:
        yield opened


def head(workspace: Workspace) -> int:
    last = workspace.ledger.head()
    assert last is not None
    return last.number


def agrees(workspace: Workspace) -> bool:
    return workspace.indexes.check(head(workspace)).findings == ()


def labels(workspace: Workspace, query: str, k: int = 1) -> list[str]:
    return [hit.label for hit in workspace.indexes.resources(query, k)]


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("noah_brown_6181", "noah_brown_6181"),
        ("Noah Brown", "noah_brown_6181"),
        ("Who is noah BROWN?", "noah_brown_6181"),
        ("Zurich", "noah_brown_6181"),
        ("#W2890441", "#W2890441"),
        ("what phase is shipment W2890441 in", "#W2890441"),
        ("Pump A", "Pump A"),
        ("Hall Seven", "Pump A"),
        ("水泵", "water pump"),
    ],
)
def test_a_resource_is_found_by_key_name_nested_value_and_label(
    world: Workspace, query: str, label: str
) -> None:
    assert labels(world, query) == [label]


def test_a_hit_says_its_classes(world: Workspace) -> None:
    best = world.indexes.resources("Pump B", 1)[0]
    assert best.iri == "http://example.org/p2"
    assert best.types == ("http://example.org/WaterPump",)
    assert best.score > 0


def test_resources_of_a_class_are_found_by_its_name(world: Workspace) -> None:
    assert {"Pump A", "Pump B"} <= set(labels(world, "water pumps", 5))


def test_nested_parts_without_a_name_are_found_as_their_whole(
    world: Workspace,
) -> None:
    found = world.indexes.resources("Hall Seven", 5)
    assert [hit.iri for hit in found] == ["http://example.org/p1"]
    assert agrees(world)


def test_what_a_retired_document_said_is_found_no_more(
    workspace: Workspace, tmp_path: Path
) -> None:
    workspace.delete(tmp_path / "in" / "shop.json")
    assert labels(workspace, "Noah Brown") == []
    assert labels(workspace, "Pump A") == ["Pump A"]
    assert agrees(workspace)


def test_a_new_version_replaces_what_the_old_one_said(
    workspace: Workspace, tmp_path: Path
) -> None:
    changed = json.dumps(DATA).replace("Noah", "Otto")
    (tmp_path / "in" / "shop.json").write_text(changed, "utf-8")
    workspace.ingest([tmp_path / "in"])
    assert labels(workspace, "Otto Brown") == ["noah_brown_6181"]
    best = workspace.indexes.resources("Otto", 1)[0]
    assert best.label == "noah_brown_6181"
    before = [(h.iri, h.label) for h in workspace.indexes.resources("Otto Brown", 9)]
    workspace.indexes.rebuild(head(workspace))
    after = [(h.iri, h.label) for h in workspace.indexes.resources("Otto Brown", 9)]
    assert before == after
    assert agrees(workspace)


RECORDS = [
    {"order_id": "#W1", "items": [{"name": "Bottle"}, {"name": "Lamp"}], "total": 12},
    {"order_id": "#W2", "items": [], "total": 7},
]
REMARKED = [
    {**item, "remark": "The parcel came late because the van broke down on the way."}
    for item in RECORDS
]


@pytest.mark.parametrize(("data", "vectors"), [(RECORDS, 0), (REMARKED, 2)])
def test_raw_records_take_vectors_only_for_running_text(
    tmp_path: Path, data: list[object], vectors: int
) -> None:
    (tmp_path / "orders.json").write_text(json.dumps(data), "utf-8")
    with Workspace.open(tmp_path / "ws") as workspace:
        workspace.ingest([tmp_path / "orders.json"])
        assert len(workspace.search("W1", mode="lexical")) == 1
        assert len(workspace.search("parcels", mode="dense")) == vectors
        assert agrees(workspace)
