"""JSON and JSON lines: records become resources, their objects become passages.

A record's passage is the text of its object, from its name where it stands under
one. A record that is much longer than a passage and holds other records is cut at
these. Where most of a record is one text, the passage is that text alone and its
heading the record's key, so that prose kept in JSON is found and quoted as prose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import PurePath
from typing import Any

from pyoxigraph import NamedNode

from aitia.errors import ReadError
from aitia.ingest.content import Block, Content, Raw
from aitia.ingest.mapped import map_facts
from aitia.ingest.readers.text import paragraphs
from aitia.ingest.records import Maker
from aitia.ingest.shape import (
    Container,
    Finder,
    Object,
    Shape,
    has_field,
    no_such_key,
    title_field,
)
from aitia.ingest.sniff import has_remote_context
from aitia.locate import jsontext
from aitia.locate.jsontext import Member

_LINE_BREAK = re.compile(r"(?<!\\)((?:\\\\)*)(?:\\r)?\\n")
_WORD = re.compile(r"\w")
_TOLD = 8
"""Names that a warning tells."""


def read(raw: Raw) -> Content:
    """Return the records of a JSON file."""
    text = jsontext.readable(raw.text)
    value, start = jsontext.document(text)
    jsontext.refuse_surrogates(raw.text)
    whole = Member(0, start, start, len(text), value)
    content = _content(raw, text, value, [whole])
    content.warnings.extend(_repeated(jsontext.repeated(text)))
    if isinstance(value, dict) and has_remote_context(value):
        content.warnings.append(
            "its JSON-LD context is at another address, and nothing is fetched: it was"
            " read as plain JSON"
        )
    return content


def read_lines(raw: Raw) -> Content:
    """Return the records of a file with one JSON value a line."""
    text = jsontext.readable(raw.text)
    lines = list(_lines(text))
    jsontext.refuse_surrogates(raw.text)
    content = _content(raw, text, [line.value for line in lines], lines)
    names = (name for line in lines for name in jsontext.repeated(_slice(text, line)))
    content.warnings.extend(_repeated(dict.fromkeys(names)))
    return content


def _slice(text: str, member: Member) -> str:
    return text[member.start : member.end]


def _repeated(names: Collection[str]) -> Iterator[str]:
    if names:
        shown = ", ".join(list(names)[:_TOLD])
        yield f"these names stand twice in one object, and the last counts: {shown}"


def _left_out(shape: Shape, value: Any) -> Iterator[str]:
    """Tell of values that stand beside records and are none."""
    if shape.records is not None and isinstance(value, list):
        count = sum(not isinstance(item, dict | list) for item in value)
        if count:
            what = "value in the list is no record and states"
            if count > 1:
                what = "values in the list are no records and state"
            yield f"{count:,} {what} nothing"


def _lines(text: str) -> Iterator[Member]:
    place = number = 0
    while place < len(text):
        stop = text.find("\n", place) + 1 or len(text)
        if not text[place:stop].isspace():
            value, end = jsontext.decode(text, place, stop)
            if text[end:stop].strip():
                where = jsontext.at(text, end)
                raise ReadError(f"it is no JSON lines: more follows{where}")
            yield Member(number, place, place, end, value)
            number += 1
        place = stop


def _content(raw: Raw, text: str, value: Any, tops: list[Member]) -> Content:
    name = PurePath(raw.name).stem or raw.name
    shape = Finder(raw.options.key).of_values(name, [value], top=True)
    content = Content(text, [], "json", version("aitia"))
    if raw.options.key and not has_field(value, raw.options.key):
        content.warnings.append(no_such_key(raw.options.key))
    if shape is None:
        content.blocks = paragraphs(text)
        return content
    if shape.records is None and not _bare(shape, value):
        shape = Shape(records=_single(name, shape, value, raw.options.key))
    content.warnings.extend(_left_out(shape, value))
    maker = Maker(raw.document)
    tops_of = list(_records(maker, shape, value))
    renamed = dict[NamedNode, NamedNode]()
    if raw.options.context is None:
        for container, key, item, iri in tops_of:
            maker.record(container, key, item, iri)
        content.facts = maker.facts
    else:
        renamed = map_facts(content, raw, [(iri, item) for _, _, item, iri in tops_of])
    titles = _titles([(container, item) for container, _, item, _ in tops_of])
    walk = _Walk(text, maker, 4 * raw.passage_chars, renamed, titles)
    lines = len(tops) != 1 or tops[0].value is not value
    content.blocks = walk.lines(shape, tops) if lines else walk.top(shape, tops[0])
    return content


def _titles(records: list[tuple[Container, Object]]) -> dict[str, str]:
    """Return container → the field that names its records, where they are prose."""
    grouped: dict[str, tuple[Container, list[Object]]] = {}
    for container, item in records:
        if container.text_field:
            grouped.setdefault(container.name, (container, []))[1].append(item)
    return {name: title_field(*found) for name, found in grouped.items()}


def _single(name: str, shape: Shape, value: Object, key: str) -> Container:
    """Return the container of a file that is one record."""
    found = Finder(key).of_values(name, [[value]], top=True)
    assert found is not None
    assert found.records is not None
    return replace(found.records, item=shape)


def _bare(shape: Shape, value: Object) -> bool:
    """Say whether an object holds nothing but containers of records."""
    for name, held in value.items():
        inner = shape.fields.get(name)
        if inner is None and held not in (None, [], {}):
            return False
        if inner is not None and inner.records is None and not _bare(inner, held):
            return False
    return True


def _records(
    maker: Maker, shape: Shape, value: Any
) -> Iterator[tuple[Container, str, Object, NamedNode]]:
    """Yield the records that stand in no other: container, key, object, IRI."""
    if shape.records is not None:
        for key, item, iri in maker.members(shape.records, value):
            yield shape.records, key, item, iri
        return
    for name, inner in shape.fields.items():
        if value.get(name):
            yield from _records(maker, inner, value[name])


@dataclass
class _Walk:
    """Walks a JSON text for the places of its records."""

    text: str
    maker: Maker
    limit: int
    renamed: dict[NamedNode, NamedNode]
    titles: dict[str, str]

    def lines(self, shape: Shape, tops: list[Member]) -> Iterator[Block]:
        """Yield the blocks of JSON lines."""
        container = shape.records
        assert container is not None
        for place, top in enumerate(self._objects(tops)):
            yield from self._record(container, place, top, "", ())

    def top(self, shape: Shape, member: Member) -> Iterator[Block]:
        """Yield the blocks of a whole file."""
        yield from self._place(shape, member, "", ())

    def _place(
        self, shape: Shape, member: Member, parent: str, path: tuple[str, ...]
    ) -> Iterator[Block]:
        """Yield the blocks of what stands in one field."""
        container = shape.records
        if container is None:
            if isinstance(member.value, dict):
                for inner in self._nesting(shape, member):
                    name = str(inner.name)
                    where = (*path, name)
                    yield from self._place(shape.fields[name], inner, parent, where)
        elif isinstance(member.value, list) or container.is_map:
            found = jsontext.members(self.text, member.value_start)
            inside = found if container.holds_values else self._objects(found)
            for place, inner in enumerate(inside):
                yield from self._record(container, place, inner, parent, path)
        else:
            yield from self._record(container, 0, member, parent, path)

    def _record(
        self,
        container: Container,
        place: int,
        member: Member,
        parent: str,
        path: tuple[str, ...],
    ) -> Iterator[Block]:
        key = self.maker.key(container, member.name, member.value)
        iri = self.maker.resource(container, place, key, parent)
        heading = " > ".join((*path, _on_one_line(key) or str(place + 1)))
        about = self.renamed.get(iri, iri)
        # Inside a record that is cut, what stands around a text is not lost.
        prose = None if parent else self._prose(container, member)
        if prose is not None:
            title = self._title(container, member.value)
            heading = title or (heading if key else " > ".join(path))
            whole = prose.end - prose.value_start <= self.limit // 2
            for start, end in self._paragraphs(prose, whole=whole):
                yield Block(start, end, heading, describes=about, whole=whole)
        elif container.holds_values or member.end - member.start <= self.limit:
            yield Block(member.start, member.end, heading, describes=about, whole=True)
        else:
            yield from self._cut(container, member, iri, heading)

    def _cut(
        self, container: Container, member: Member, iri: NamedNode, heading: str
    ) -> Iterator[Block]:
        """Yield a long record cut at the records in it, and what is between them."""
        last = member.start
        for name in self._nesting(container.item, member):
            inner = container.item.fields[str(name.name)]
            where = (heading, str(name.name))
            for block in self._place(inner, name, iri.value, where):
                yield from self._between(last, block.start, heading, iri)
                yield block
                last = block.end
        yield from self._between(last, member.end, heading, iri)

    def _between(
        self, start: int, end: int, heading: str, iri: NamedNode
    ) -> Iterator[Block]:
        if _WORD.search(self.text, start, end):
            about = self.renamed.get(iri, iri)
            yield Block(start, end, heading, describes=about, whole=True)

    def _title(self, container: Container, item: Object) -> str:
        name = self.titles.get(container.name, "")
        return _on_one_line(item[name]) if name else ""

    def _prose(self, container: Container, member: Member) -> Member | None:
        name = container.text_field
        if not name or not isinstance(member.value, dict):
            return None
        if not isinstance(member.value.get(name), str):
            return None
        if not member.value[name].strip():
            return None
        found = jsontext.members(self.text, member.value_start)
        return next(inner for inner in found if inner.name == name)

    def _paragraphs(self, prose: Member, *, whole: bool) -> Iterator[tuple[int, int]]:
        start, stop = prose.value_start + 1, prose.end - 1
        breaks = () if whole else _LINE_BREAK.finditer(self.text, start, stop)
        for found in breaks:
            if found.end(1) > start:
                yield start, found.end(1)
            start = found.end()
        if stop > start:
            yield start, stop

    def _nesting(self, shape: Shape, member: Member) -> Iterator[Member]:
        for inner in jsontext.members(self.text, member.value_start):
            if inner.name in shape.fields and inner.value:
                yield inner

    def _objects(self, found: Iterator[Member] | list[Member]) -> Iterator[Member]:
        for member in found:
            if isinstance(member.value, dict):
                yield member
            elif isinstance(member.value, list):
                inner = jsontext.members(self.text, member.value_start)
                yield from self._objects(inner)


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


READERS = {"json": read, "jsonl": read_lines}
