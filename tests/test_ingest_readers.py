"""What is read from each format, and how formats are told apart."""

import io
import zipfile

import docx
import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import NamedNode

from aitia.errors import ReadError, UsageError
from aitia.ingest import sniff
from aitia.ingest.content import Content, Options, Raw
from aitia.ingest.passages import cut
from aitia.ingest.readers import docx as docx_reader, html, pdf
from aitia.ingest.sniff import by_magic, by_text, named


def raw(data: bytes = b"", text: str = "") -> Raw:
    return Raw(data, text, "x", "file:///x", NamedNode("urn:x:d"), "0" * 64, Options())


def held(content: Content, aim: int = 800) -> list[tuple[str, str]]:
    made = cut(content.text, content.blocks, aim)
    return [(item.heading, content.text[item.start : item.end]) for item in made]


PAGE = """<!DOCTYPE html><html><head><title>Refund  rules</title><style>p{}</style>
<script>var a = "<p>script text</p>";</script></head><body>
<header>Shop <h1>Site name</h1></header><nav>Home</nav>
<main><article><header><h1>Refunds</h1></header><p>You get money <b>back</b>&nbsp;soon.
<p>An unclosed paragraph.<div style="display: none">hidden words</div>
<ul><li>one<li>two</ul>
<h2>Fees</h2><table><tr><th>Item</th><th>Fee</th></tr><tr><td>Box<br>big</td><td>5</td></tr></table>
<pre>a
  b</pre></article></main><aside>advert</aside><footer>imprint</footer></body></html>"""


def test_html_keeps_what_a_reader_sees_under_its_headings() -> None:
    content = html.read(raw(text=PAGE))
    assert content.title == "Refund rules"
    found = held(content)
    assert [heading for heading, _ in found] == [
        "Refunds",
        "Refunds > Fees",
        "Refunds > Fees > Item | Fee",
        "Refunds > Fees",
    ]
    assert found[2][1] == "Box big | 5"
    text = content.text
    for gone in (
        "script text",
        "Site name",
        "Home",
        "hidden",
        "advert",
        "imprint",
        "p{}",
    ):
        assert gone not in text
    for kept in ("money back", "An unclosed paragraph.", "- one", "a\n  b"):
        assert kept in text


@given(st.lists(st.sampled_from(
    ["<p>", "</p>", "<div>", "</div>", "<table>", "<tr>", "<td>", "</td>", "<b>", "</b>", "<li>",
     "<h2>", "</h2>", "word ", "&amp;", "<br>", "<pre>", "</pre>", "<nav>", "</nav>", "<script>",
     "</script>", "<!-- c -->", "<", ">", "</table>", "\n", "中文。"]
), max_size=40).map("".join))  # fmt: skip
@settings(deadline=None)
def test_any_html_is_read_and_its_text_is_held_by_passages(text: str) -> None:
    content = html.read(raw(text="<html><body>" + text))
    words = "".join(words for _, words in held(content, 60))
    assert "".join(words.split()) == "".join(content.text.split())


def pdf_of(*parts: bytes, trailer: bytes = b"") -> bytes:
    """Return a PDF of numbered objects, the first of which is its catalogue."""
    data, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(data))
        data += b"%d 0 obj" % number + part + b"endobj\n"
    start, count = len(data), len(parts) + 1
    data += b"xref\n0 %d\n0000000000 65535 f \n" % count
    data += b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF"
    return data + end % (count, trailer, start)


def a_page(content: int) -> bytes:
    return (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents %d 0 R/Resources"
        b"<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>" % content
    )


def words(text: bytes) -> bytes:
    drawn = b"BT /F 12 Tf 20 300 Td (%s) Tj ET" % text
    return b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn)


def a_pdf(trailer: bytes = b"") -> bytes:
    """Two pages of text with an outline of two levels."""
    return pdf_of(
        b"<</Type/Catalog/Pages 2 0 R/Outlines 7 0 R>>",
        b"<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2>>",
        a_page(4),
        words(b"Refunds take 5 days. Cards take longer."),
        a_page(6),
        words(b"Ten days for cards."),
        b"<</Type/Outlines/First 8 0 R/Last 8 0 R/Count 1>>",
        b"<</Title(Refunds)/Parent 7 0 R/Dest[3 0 R/Fit]/First 9 0 R/Last 9 0 R/Count 1>>",
        b"<</Title(Cards)/Parent 8 0 R/Dest[5 0 R/Fit]>>",
        trailer=trailer,
    )


def test_pdf_passages_have_pages_and_the_outline_as_headings() -> None:
    content = pdf.read(raw(a_pdf()))
    assert content.pages == 2
    made = list(cut(content.text, content.blocks, 800))
    assert [(item.page, item.heading) for item in made] == [
        (1, "Refunds"),
        (2, "Refunds > Cards"),
    ]
    assert content.text[made[1].start : made[1].end] == "Ten days for cards."


def test_pdfs_that_are_damaged_or_locked_are_told_apart() -> None:
    with pytest.raises(ReadError, match="damaged PDF"):
        pdf.read(raw(a_pdf()[:200]))
    lock = b"/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -1/O<%s>/U<%s>>>" % (
        b"11" * 32,
        b"22" * 32,
    )
    with pytest.raises(ReadError, match="needs a password"):
        pdf.read(raw(a_pdf(lock)))


def a_docx() -> bytes:
    made = docx.Document()
    made.add_heading("Handbook", 0)
    made.add_heading("Fees", 1)
    made.add_paragraph("A fee is due.")
    made.add_paragraph("first", style="List Bullet")
    table = made.add_table(2, 2)
    for row, values in zip(table.rows, (("Item", "Fee"), ("Box", "5")), strict=True):
        for cell, value in zip(row.cells, values, strict=True):
            cell.text = value
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def test_docx_keeps_headings_and_tables() -> None:
    content = docx_reader.read(raw(a_docx()))
    assert content.title == "Handbook"
    assert ("Fees > Item | Fee", "Box | 5") in held(content)
    assert any("A fee is due.\n\n- first" in words for _, words in held(content))


def test_a_docx_that_is_damaged_or_a_bomb_is_refused() -> None:
    with pytest.raises(ReadError, match="damaged"):
        docx_reader.read(raw(a_docx()[:500]))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"\0" * 300_000_000)
    with pytest.raises(ReadError, match="unpacks to"):
        docx_reader.read(raw(out.getvalue()))


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Hello.", "a.txt", "text"),
        ("Hello.", "noname", "text"),
        ("# T", "a.md", "markdown"),
        ("<!doctype html><p>x", "a.txt", "html"),
        ("<html><p>x", "page", "html"),
        ('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>', "x", "html"),
        ('{"a": 1}', "a.json", "json"),
        ('{"a": 1}', "data", "json"),
        ('{"a": 1}\n{"a": 2}\n', "data", "jsonl"),
        ('{"@context": {}, "@id": "http://e"}', "a.json", "jsonld"),
        ('[{"@id": "http://e", "http://p": 1}]', "x", "jsonld"),
        ('{"a": {"@id": "x"}}', "a.json", "json"),
        ("@prefix e: <http://e/> . e:a e:b e:c .", "x", "turtle"),
        ("PREFIX e: <http://e/>\ne:a e:b e:c .", "x.rdf", "turtle"),
        ("@prefix e: <http://e/> .\ne:g { e:a e:b e:c }", "x", "trig"),
        ("<http://e/a> <http://e/p> \"1\" .\n", "x", "ntriples"),
        ("<http://e/a> <http://e/p> \"1\" <http://e/g> .\n", "x", "nquads"),
        ("<http://e/a> <http://e/p> \"1\" .\n", "x.ttl", "turtle"),
        ('<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>', "x.ttl", "rdfxml"),
        ("<a@b.c> wrote:", "mail.txt", "text"),
        ("{not json", "a.txt", "text"),
        ("{curly} text", "a.md", "markdown"),
        ("a,b\n1,2\n", "a.csv", "csv"),
    ],
)  # fmt: skip
def test_formats_are_told_by_content_first(text: str, name: str, expected: str) -> None:
    assert by_text(text, name).name == expected


def test_binary_formats_are_told_by_their_first_bytes() -> None:
    assert by_magic(b"%PDF-1.7") == sniff.FORMATS["pdf"]
    assert by_magic(a_docx()) == sniff.FORMATS["docx"]
    assert by_magic(b"plain") is None
    with pytest.raises(ReadError, match="no reader for a PNG picture"):
        by_magic(b"\x89PNG\r\n")
    with pytest.raises(ReadError, match="Excel workbook"):
        by_magic(b"PK\x03\x04..xl/workbook.xml")
    with pytest.raises(ReadError, match="an RTF file"):
        by_magic(b"{\\rtf1 x}")
    for text in ("<?xml version='1.0'?><a/>", "<a></a>"):
        with pytest.raises(ReadError, match="its root is <a>"):
            by_text(text, "x.xml")
    with pytest.raises(UsageError, match="no format"):
        named("word")
