"""The arithmetic of the ledger, as laws: packing, salting, erasing, hashing."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st
from pyoxigraph import Store

from aitia.ledger import chain, records
from aitia.model import CommitRecord

lines = st.lists(
    st.tuples(st.sampled_from([chain.ADD, chain.DELETE]), st.binary(max_size=30)),
    max_size=8,
)
keys = st.binary(min_size=32, max_size=32)


@given(keys, lines)
def test_packing_loses_nothing(key: bytes, pairs: list[tuple[bytes, bytes]]) -> None:
    entries = chain.entries(key, pairs)
    assert chain.unpack(chain.pack(key, pairs)) == entries
    leaves = list(chain.leaves(key, pairs))
    assert leaves == [entry.leaf for entry in entries]
    assert chain.root_of(leaves) == chain.digest(b"root", *leaves).hex()


@given(keys, lines, st.data())
def test_erasing_lines_keeps_the_root(
    key: bytes, pairs: list[tuple[bytes, bytes]], data: st.DataObject
) -> None:
    entries = chain.entries(key, pairs)
    places = st.integers(0, len(entries) - 1) if entries else st.nothing()
    erased = data.draw(st.frozensets(places))
    packed = chain.pack_erased(entries, erased)
    kept = chain.unpack(packed)
    assert chain.root(kept) == chain.root(entries)
    for index, (before, after) in enumerate(zip(entries, kept, strict=True)):
        assert after == ((b"", b"", b"", before.leaf) if index in erased else before)
    again = chain.pack_erased(kept, frozenset(range(len(kept))))
    assert chain.root(chain.unpack(again)) == chain.root(entries)
    assert not any(entry.line for entry in chain.unpack(again))


@given(st.lists(st.binary(max_size=9)), st.lists(st.binary(max_size=9)))
def test_no_two_lists_of_fields_run_together(a: list[bytes], b: list[bytes]) -> None:
    assert (chain.digest(*a) == chain.digest(*b)) == (a == b)


@pytest.mark.parametrize("data", [b"", b"X", b"K" + b"k" * 32 + b"\0" * 7 + b"\x09ab"])
def test_what_is_no_patch_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="patch"):
        chain.unpack(data)


hexadecimal = st.text("0123456789abcdef", min_size=64, max_size=64)


@given(
    st.builds(
        CommitRecord,
        number=st.integers(1, 10**9),
        hash=hexadecimal,
        previous=hexadecimal,
        root=hexadecimal,
        agent=st.sampled_from(["urn:aitia:agent:a", "urn:aitia:agent:%E4"]),
        cause=st.sampled_from(["", "urn:aitia:run:x"]),
        time=st.integers(0, 4 * 10**12).map(
            lambda ms: datetime.fromtimestamp(ms // 1000, UTC).replace(
                microsecond=ms % 1000 * 1000
            )
        ),
        shapes_version=st.text("0123456789abcdef", max_size=16),
        focus_count=st.integers(0, 10**6),
        focus_digest=hexadecimal,
    )
)
def test_a_record_is_read_back_as_it_was_written(record: CommitRecord) -> None:
    store = Store()
    store.extend(records.to_quads(record))
    assert set(store) == set(records.to_quads(record))
    assert records.from_quads(store) == record
