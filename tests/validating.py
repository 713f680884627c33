"""Small shapes and data, and the command line, for tests of validation."""

from pathlib import Path

from click.testing import CliRunner, Result

from aitia_cli.main import cli

PREFIXES = """
@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix e: <http://e/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
STEP = (
    PREFIXES
    + """
e:S a sh:NodeShape ; sh:targetClass e:Step ;
    sh:property [ sh:path e:used ;
        sh:node [ sh:property [ sh:path e:source ; sh:minCount 1 ] ] ] ;
    sh:property [ sh:path e:note ; sh:maxLength 3 ; sh:severity sh:Warning ] .
"""
)
DATA = PREFIXES + 'e:s1 a e:Step ; e:used [ e:title "x" ] ; e:note "long note" .'


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(cli, ["--workspace", "ws", *arguments], input=stdin)


def put(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name
