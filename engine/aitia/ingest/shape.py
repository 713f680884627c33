"""What records a JSON or CSV file holds: found from the data alone.

A list of objects is a list of records. An object is a *map of records* where all its
values are objects and either each of these repeats its own name in one of its fields,
or the names look like keys and not like fields: they differ from one place to the
next or hold a digit, while the objects under them share their fields. An object at the
top with a hundred values or more that nest nothing, or twenty under names with digits,
is a *dictionary*: each value is a record of its own, its field called `value`. Records that
stand at one kind of place form a container, named by the field it stands in, or by
the file.

The key of a container's records is, in this order: the field that the user names;
the name in a map; a field that is a text or a whole number, present in every record
and different in each, whose name says so (it ends in id, key, code, number or in the
like in other languages; one that speaks of the container comes first); the first
field of short texts, present and different in each. Uniqueness decides; names only
choose among unique fields. In a list inside a record a field is a key only where its
name says so, and speaks of the list or is just "id" where there are fewer than ten
records, because a few values easily differ by chance.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from aitia.errors import ReadError
from aitia.ingest.values import text

Object = dict[str, Any]
_KEY_NAME = re.compile(
    r"(^|[\W_]|(?<=[a-z]))(id|ids|key|code|no|nr|num|number|uuid|guid|iri|uri|sku|ref"
    r"|kennung|nummer|clave|codigo|cle|numero|chave)$|(编号|编码|代码|号|键|番号|コード|번호)$",
    re.IGNORECASE,
)
_KEY_CHARS = 120
_TEXT_CHARS = 80
_BY_CHANCE = 10


@dataclass
class Shape:
    """What stands at one kind of place.

    Attributes:
        fields: For an object: what stands in those of its fields that nest.
        records: The container that stands here, or None for a plain object.
    """

    fields: dict[str, Shape] = field(default_factory=dict)
    records: Container | None = None


@dataclass
class Container:
    """Records that stand at one kind of place.

    Attributes:
        name: The container's name.
        key: The field that holds or repeats the key, or "".
        is_map: The records stand in an object, each under a name.
        by_name: That name is their key.
        unique: Their keys differ throughout the file, so that they can be referred to.
        own: They are addressed by container and key alone: their keys differ and they
            stand at the top or in a map.
        item: What one of them looks like.
        text_field: The field that holds most of each record's text, or "".
        holds_values: Each record is a single value under its name.
    """

    name: str
    key: str
    is_map: bool
    by_name: bool
    unique: bool
    own: bool
    item: Shape
    text_field: str = ""
    holds_values: bool = False


@dataclass(frozen=True)
class Finder:
    """Finds shapes.

    Attributes:
        key: The key field that the user names, or "".
    """

    key: str = ""

    def of_object(self, objects: Sequence[Object], *, top: bool) -> Shape:
        """Return the shape of objects that stand at one kind of place.

        Args:
            objects: All objects that stand there.
            top: They stand in no record.
        """
        shape = Shape()
        for name in dict.fromkeys(name for item in objects for name in item):
            values = [item[name] for item in objects if name in item]
            nested = self.of_values(name, values, top=top)
            if nested is not None:
                shape.fields[name] = nested
        return shape

    def of_values(self, name: str, values: Sequence[Any], *, top: bool) -> Shape | None:
        """Return the shape of what stands in one field, or None where it is scalar.

        Args:
            name: The field, or the file where the values are whole files.
            values: All values that stand there.
            top: They stand in no record.
        """
        objects = [value for value in values if isinstance(value, dict) and value]
        elements = [item for value in values for item in _elements(value)]
        if elements:
            return Shape(records=self._list(name, objects + elements, top=top))
        if objects and _is_map(objects):
            return Shape(records=self._map(name, objects))
        if len(objects) == 1 and top and _is_dictionary(objects[0]):
            inner = Container(name, "", True, True, True, True, Shape())
            return Shape(records=replace(inner, holds_values=True))
        return self.of_object(objects, top=top) if objects else None

    def _list(self, name: str, items: list[Object], *, top: bool) -> Container:
        key = self._key(name, items, top=top)
        item = self.of_object(items, top=False)
        unique, text_field = bool(key), _text_field(items)
        return Container(
            name, key, False, False, unique, top and unique, item, text_field
        )

    def _map(self, name: str, maps: list[Object]) -> Container:
        items = [value for item in maps for value in item.values()]
        seen = Counter(member for item in maps for member in item)
        own = all(count == 1 for count in seen.values())
        key, by_name = next(iter(_repeating(maps)), ""), True
        if self.key and _serves(items, self.key):
            key, by_name, own = self.key, False, True
        item = self.of_object(items, top=False)
        return Container(name, key, True, by_name, own, own, item, _text_field(items))

    def _key(self, name: str, items: Sequence[Object], *, top: bool) -> str:
        if self.key and any(self.key in item for item in items):
            if _serves(items, self.key):
                return self.key
            raise ReadError(
                f"the field {self.key!r} is no key of {name!r}: it is absent or the "
                "same in some records"
            )
        serving = [field for field in items[0] if _serves(items, field)]
        named = [field for field in serving if _KEY_NAME.search(field)]
        own = [field for field in named if related(field, name) or _is_id(field)]
        if own or (not top and len(items) < _BY_CHANCE):
            return next(iter(own), "")
        if named or not top:
            return next(iter(named), "")
        texts = [field for field in serving if isinstance(items[0][field], str)]
        return texts[0] if texts and len(items) > 1 else ""


def no_such_key(key: str) -> str:
    """Return the warning that the key the user named is a field of no record."""
    return f"no record has the field {key!r}, which was named as the key"


def has_field(value: Any, name: str) -> bool:
    """Say whether any object in a value has a field."""
    if isinstance(value, dict):
        return name in value or any(has_field(item, name) for item in value.values())
    return isinstance(value, list) and any(has_field(item, name) for item in value)


def scalars(item: Object) -> Iterable[tuple[str, Any]]:
    """Yield the fields of an object that hold a scalar."""
    return (
        (name, value)
        for name, value in item.items()
        if value is not None and not isinstance(value, dict | list)
    )


def title_field(container: Container, items: Sequence[Object]) -> str:
    """Return the field that names records of prose to people, or "".

    It is the first field of short texts on one line, besides the text itself and a key
    that is no name, that is present in every record and different in most.
    """
    skipped = {container.text_field}
    if _KEY_NAME.search(container.key):
        skipped.add(container.key)
    names = [name for name in (items[0] if items else ()) if name not in skipped]
    return next((n for n in names if _names([item.get(n) for item in items])), "")


def _names(values: Sequence[Any]) -> bool:
    """Say whether values are short texts on one line, most of them different."""
    texts = [value for value in values if isinstance(value, str) and value.strip()]
    short = all(len(text) <= _KEY_CHARS and "\n" not in text for text in texts)
    return len(texts) == len(values) and short and len(set(texts)) > 0.8 * len(texts)


def _elements(value: Any) -> Iterable[Object]:
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield item
            else:
                yield from _elements(item)


def _is_map(objects: Sequence[Object]) -> bool:
    items = [(name, value) for item in objects for name, value in item.items()]
    if not all(isinstance(value, dict) and value for _, value in items):
        return False
    if _repeating(objects):
        return True
    common = Counter(name for _, item in items for name in item)
    shared = sum(count for count in common.values() if count > 1) / common.total()
    if shared < 0.6 or len(items) < 2:
        return False
    distinct = {name for name, _ in items}
    like_keys = sum(any(char.isdigit() for char in name) for name in distinct)
    varied = len(objects) > 1 and len(distinct) > 0.8 * len(items)
    return varied or like_keys > 0.8 * len(distinct)


def _is_dictionary(item: Object) -> bool:
    """Say whether an object is a long list of values, each under its key."""
    if any(isinstance(value, dict | list) for value in item.values()):
        return False
    like_keys = sum(any(char.isdigit() for char in name) for name in item)
    return len(item) >= 100 or (len(item) >= 20 and like_keys > 0.8 * len(item))


def _repeating(objects: Sequence[Object]) -> set[str]:
    """Return the fields in which every object repeats the name it stands under."""
    found: set[str] | None = None
    for item in objects:
        for name, value in item.items():
            same = {field for field, held in scalars(value) if text(held) == name}
            found = same if found is None else found & same
            if not found:
                return set()
    return found or set()


def _is_id(name: str) -> bool:
    return name.lower() in ("id", "_id", "uuid", "guid")


def _serves(items: Sequence[Object], name: str) -> bool:
    """Say whether a field is present in every record and different in each."""
    seen: set[str] = set()
    for item in items:
        value = item.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int):
            return False
        key = text(value)
        if not key.strip() or len(key) > _KEY_CHARS or "\n" in key or key in seen:
            return False
        seen.add(key)
    return True


def _text_field(items: Sequence[Object]) -> str:
    """Return the field that holds most of the records' text, or ""."""
    lengths: Counter[str] = Counter()
    rest = 0
    for item in items:
        for name, value in item.items():
            if isinstance(value, str):
                lengths[name] += len(value)
            elif value is not None:
                rest += len(str(value))
    if not lengths:
        return ""
    name, most = lengths.most_common(1)[0]
    long = most >= _TEXT_CHARS * len(items)
    return name if long and most >= 0.6 * (lengths.total() + rest) else ""


def related(field_name: str, container: str) -> bool:
    """Say whether a field's name speaks of a container: order_id, order of orders.

    Both are taken without case and marks; the field must start with the container's
    name, give or take an ending (one letter of it, three where it is long), or end
    with it.
    """
    left, right = _joined(field_name), _joined(container)
    stem = (
        right[: len(right) - (3 if len(right) > 7 else 1)] if len(right) > 3 else right
    )
    return len(stem) > 1 and (left.startswith(stem) or left.endswith(right))


def _joined(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()
