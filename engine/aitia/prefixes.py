"""The prefixes that people need not declare, and names written with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from aitia.vocab import (
    AITIA,
    CITO,
    DCTERMS,
    DQV,
    EARL,
    OA,
    OWL,
    PROV,
    RDF,
    RDFS,
    SH,
    SKOS,
    XSD,
)

PREFIXES: Final[Mapping[str, str]] = {
    "aitia": AITIA.NS,
    "cito": CITO.NS,
    "dcterms": DCTERMS.NS,
    "dqv": DQV.NS,
    "earl": EARL.NS,
    "oa": OA.NS,
    "owl": OWL.NS,
    "prov": PROV.NS,
    "rdf": RDF.NS,
    "rdfs": RDFS.NS,
    "sh": SH.NS,
    "skos": SKOS.NS,
    "xsd": XSD.NS,
}
"""Prefix → namespace."""


def compact(iri: str) -> str:
    """Return an IRI of a known namespace as a prefixed name, any other as it is."""
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace) and len(iri) > len(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri


def expand(name: str) -> str:
    """Return the IRI of a prefixed name, or "" where the prefix is not known."""
    prefix, colon, local = name.partition(":")
    return PREFIXES[prefix] + local if colon and prefix in PREFIXES else ""


def used(text: str) -> dict[str, str]:
    """Return the prefixes whose namespaces occur in a text."""
    return {prefix: iri for prefix, iri in PREFIXES.items() if iri in text}
