"""Is the evidence there, does it say so, and does it stand by itself?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pyoxigraph import NamedNode

from aitia import lookup, terms
from aitia.errors import AitiaError
from aitia.methods.facts import Facts, local_name
from aitia.plain import quoted
from aitia.resources import query
from aitia.vocab import AITIA, EARL, PROV, RDF
from aitia.writeback.checks.case import Case, judged, passed
from aitia.writeback.draft import Checked, Cited
from aitia.writeback.evidence import is_live, made_here, text_of, told as words_of
from aitia.writeback.impact import speaking_of
from aitia.writeback.sources import Sourced, keys, plain_words


def quotes(case: Case) -> Checked:
    """Check that each stored text, and each node on record, says what is cited."""
    cited = [item for item in case.evidence if _is_looked_up(item)]
    if not cited:
        return Checked(AITIA.quotesCheck, EARL.inapplicable, "nothing is quoted")
    found = (told for item in cited if (told := _misquoted(case, item)))
    good = "the quote stands at its place"
    if len(cited) > 1:
        good = f"all {len(cited)} quotes stand at their places"
    return judged(AITIA.quotesCheck, found, good, blocks=True)


def _is_looked_up(item: Sourced) -> bool:
    """Tell whether there is something to hold the words against.

    What calls itself not at hand and yet names where it is is looked up as well.
    """
    cited = item.cited
    if not cited.quote and not cited.ground:
        return False
    return cited.reached or bool(cited.blob or cited.ground)


def _misquoted(case: Case, item: Sourced) -> str:
    cited = item.cited
    try:
        text = stored_text(case, item)
    except (AitiaError, OSError, UnicodeDecodeError) as error:
        told = f"the text of {item.path} cannot be read: {error}"
        return told if cited.reached else ""  # told by the check of evidence
    if text is None:
        return _told_otherwise(case, item)
    if not cited.quote or (
        cited.start >= 0 and text[cited.start : cited.end] == cited.quote
    ):
        return ""
    where = f" at {cited.start}–{cited.end}" if cited.start >= 0 else ""
    return f"{item.path} does not say {quoted(cited.quote)}{where}"


def _told_otherwise(case: Case, item: Sourced) -> str:
    """Return what a node that is no text does not say, or ""."""
    cited = item.cited
    if cited.ground is None:
        return f"no text is named that says {quoted(cited.quote)}"
    said = words_of(case.desk, cited.ground)
    wrong = cited.quote if cited.quote and cited.quote not in said else ""
    if cited.text not in said and not _is_from_data(case, cited, said):
        wrong = cited.text
    name = lookup.short(cited.ground.value)
    return f"{name} does not say {quoted(wrong)}" if wrong else ""


def _is_from_data(case: Case, cited: Cited, said: str) -> bool:
    """Tell whether words put into a sentence what a tool returned as data.

    All of them are of the data, or of the names of what they are about.
    """
    if cited.ground is None or AITIA.Observation not in case.desk.kinds(cited.ground):
        return False
    facts = Facts(case.desk.store)
    about = (
        name
        for change in case.draft.changes
        for node in (change.subject, change.predicate)
        for name in (*facts.labels(node), local_name(node))
    )
    known = plain_words(" ".join((said, *about)).replace("_", " "))
    return set(plain_words(cited.text.replace("_", " "))) <= set(known)


def stored_text(case: Case, item: Sourced) -> str | None:
    """Return the text that a quote is from; what a node says for one that has none.

    Raises:
        NotFound: It is not kept here.
    """
    if item.cited.blob:
        return case.desk.reads.blobs.text(item.cited.blob)
    ground = item.cited.ground
    if ground is None or item.document is None:
        return None
    kinds = case.desk.kinds(ground)
    if kinds & {AITIA.Document, AITIA.Passage}:
        return text_of(case.desk, item.document)
    return None


def evidence(case: Case) -> Checked:
    """Check that there is evidence and that it is at hand."""
    if not case.evidence:
        return Checked(AITIA.evidenceCheck, EARL.failed, "no evidence is given")
    gone = [item.path for item in case.evidence if _out_of_use(case, item)]
    if gone:
        told = f"no longer in use: {', '.join(gone)}"
        return Checked(AITIA.evidenceCheck, EARL.cantTell, told)
    far = [item.cited for item in case.evidence if not item.cited.reached]
    if far:
        told = "; ".join(f"{item.address or item.text}: {item.trouble}" for item in far)
        return Checked(AITIA.evidenceCheck, EARL.untested, f"not looked at: {told}")
    lacking = [
        f"{item.path}: {why}"
        for item in case.evidence
        if (why := item.unsourced or item.borne.told)
    ]
    if lacking:
        return Checked(AITIA.evidenceCheck, EARL.cantTell, "; ".join(lacking))
    return passed(AITIA.evidenceCheck, "all of it is at hand and says so")


def _out_of_use(case: Case, item: Sourced) -> bool:
    return item.document is not None and not is_live(case.desk, item.document)


def circularity(case: Case) -> Checked:
    """Check that no evidence rests on this proposal or on one of the same content."""
    own = set(_same(case))
    found = [
        f"{item.path} rests on {lookup.short(node.value)}, which asks for the same"
        for item in case.evidence
        for node in _proposals_behind(case, item)
        if node in own
    ]
    return judged(
        AITIA.circularityCheck, found, "no evidence rests on the proposal", blocks=True
    )


def _same(case: Case) -> Iterator[NamedNode]:
    """Yield the earlier versions of a proposal, and those that state the same."""
    desk, draft = case.desk, case.draft
    earlier = draft.revision_of
    while earlier is not None:
        yield earlier
        earlier = desk.node(earlier, PROV.wasRevisionOf)
    for change in draft.adds:
        for node in speaking_of(desk.store, change.subject, change.predicate):
            if any(desk.store.quads(node, RDF.object, change.object)):
                yield from desk.subjects(AITIA.proposes, node)
    if draft.text:
        text = terms.string(draft.text)
        yield from desk.subjects(AITIA.proposedText, text)


def _proposals_behind(case: Case, item: Sourced) -> list[NamedNode]:
    ground = item.cited.ground
    if ground is None or not made_here(ground):
        return []
    text = query("writeback", "proposals_behind")
    rows = case.desk.store.select(text, {"node": ground})
    found = (row["proposal"] for row in rows)
    return [node for node in found if isinstance(node, NamedNode)]


def independence(case: Case) -> Checked:
    """Count the independent sources; copies of one text are told."""
    if not case.evidence:
        return Checked(AITIA.independenceCheck, EARL.failed, "there is no source")
    counted = Counter(item.key for item in case.evidence)
    number = len(keys(case.evidence))
    if not number and any(item.unsourced for item in case.evidence):
        told = "there is no source: " + "; ".join(
            f"{item.path}: {item.unsourced}" for item in case.evidence if item.unsourced
        )
        return Checked(AITIA.independenceCheck, EARL.failed, told)
    told = f"{number} independent source{'' if number == 1 else 's'}"
    copies = [
        sorted({item.path for item in case.evidence if item.key == key})
        for key, times in counted.items()
        if times > 1
    ]
    twice = [" and ".join(paths) for paths in copies if len(paths) > 1]
    if twice:
        text = f"{told}: {'; '.join(twice)} are copies and count once"
        return Checked(AITIA.independenceCheck, EARL.failed, text)
    return passed(AITIA.independenceCheck, told)
