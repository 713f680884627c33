"""Writes vocab.py and context.jsonld: `python -m aitia.vocabgen [--check]`."""

import keyword
import sys
from collections import defaultdict
from pathlib import Path

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from aitia import contextgen
from aitia.resources import turtle

TARGET = Path(__file__).with_name("vocab.py")
WIDTH = 88
DEFINITION = "http://www.w3.org/2004/02/skos/core#definition"
PREFIXES = {
    "AITIA": "https://w3id.org/aitia/ns#",
    "CITO": "http://purl.org/spar/cito/",
    "DCTERMS": "http://purl.org/dc/terms/",
    "DQV": "http://www.w3.org/ns/dqv#",
    "EARL": "http://www.w3.org/ns/earl#",
    "OA": "http://www.w3.org/ns/oa#",
    "OWL": "http://www.w3.org/2002/07/owl#",
    "PROV": "http://www.w3.org/ns/prov#",
    "RDF": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "RDFS": "http://www.w3.org/2000/01/rdf-schema#",
    "SH": "http://www.w3.org/ns/shacl#",
    "SKOS": "http://www.w3.org/2004/02/skos/core#",
    "XSD": "http://www.w3.org/2001/XMLSchema#",
}
HEADER = '''"""The vocabulary; generated from ontology/ by aitia.vocabgen. Do not edit."""

from typing import Final, final

from pyoxigraph import NamedNode
'''


def render() -> str:
    """Return the text vocab.py must have."""
    defined = definitions()
    return HEADER + "".join(
        _namespace(name, iri, defined.get(iri, {})) for name, iri in PREFIXES.items()
    )


def definitions() -> dict[str, dict[str, str]]:
    """Return what the ontology declares: namespace → local name → definition."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for text in turtle("ontology").values():
        for quad in parse(text.encode(), format=RdfFormat.TURTLE):
            subject, value = quad.subject, quad.object
            if not (isinstance(subject, NamedNode) and isinstance(value, Literal)):
                continue
            if quad.predicate.value == DEFINITION and value.language == "en":
                namespace, local = _split(subject.value)
                if local:
                    found[namespace][local] = value.value
    return found


def _split(iri: str) -> tuple[str, str]:
    for namespace in PREFIXES.values():
        if iri.startswith(namespace):
            return namespace, iri.removeprefix(namespace)
    return iri, ""


def _namespace(name: str, iri: str, terms: dict[str, str]) -> str:
    head = f'\n\n@final\nclass {name}:\n    """Terms of {iri}."""\n\n    NS: Final = "{iri}"\n'
    return head + "".join(
        f'\n{_assignment(term, iri)}\n    """{definition}"""\n'
        for term, definition in sorted(terms.items())
    )


def _assignment(term: str, namespace: str) -> str:
    """Return the line, or the three, that the formatter would leave as they are."""
    start, value = f"    {_name(term)}: Final = NamedNode(", f'"{namespace}{term}"'
    line = f"{start}{value})"
    return line if len(line) <= WIDTH else f"{start}\n        {value}\n    )"


def _name(term: str) -> str:
    """Return a term as Python can spell it: `class` as `class_`."""
    return f"{term}_" if keyword.iskeyword(term) else term


def main(arguments: list[str]) -> int:
    """Write both files, or with `--check` return 1 when one is not what it must be."""
    files = {TARGET: render(), contextgen.TARGET: contextgen.render()}
    if "--check" in arguments:
        stale = [path for path, text in files.items() if text != _read(path)]
        for path in stale:
            print(f"{path} is stale: run `python -m aitia.vocabgen`.", file=sys.stderr)
        return int(bool(stale))
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    return 0


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
