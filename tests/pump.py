"""A small workspace with documents, facts, an inference and a run, for many tests."""

from pathlib import Path

from aitia import Workspace

TEXT = "Pump A feeds tank B. Tank B feeds mixer C.\n"
FACTS = """@prefix e: <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
e:Pump rdfs:subClassOf e:Machine . e:Machine rdfs:subClassOf e:Thing .
e:a a e:Pump ; e:name "pump A" ; e:weight 12.5 ; e:note "colour"@en-GB .
e:name rdfs:subPropertyOf rdfs:label .
e:feeds a owl:TransitiveProperty . e:a e:feeds e:b . e:b e:feeds e:c . e:c e:feeds e:d .
e:r1 prov:wasDerivedFrom e:r2 . e:r2 prov:wasDerivedFrom e:r1 .
"""
GRAPHS = """<http://e/g1> { <http://e/a> <http://e/p> "1" }
<http://e/g2> { <http://e/a> <http://e/p> "1" , "2" }
"""


def build(folder: Path) -> Path:
    """Make the workspace and return its folder."""
    (folder / "pump.txt").write_text(TEXT, "utf-8")
    (folder / "facts.ttl").write_text(FACTS, "utf-8")
    (folder / "graphs.trig").write_text(GRAPHS, "utf-8")
    names = ("pump.txt", "facts.ttl", "graphs.trig")
    with Workspace.open(folder / "ws") as workspace:
        report = workspace.ingest([folder / name for name in names])
        assert all(file.outcome == "added" for file in report.files), report
        workspace.infer()
        workspace.ask("What does pump A feed?")
    return folder / "ws"
