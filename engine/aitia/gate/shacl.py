"""The SHACL terms that pySHACL knows, as a closed list.

A term outside the list would be passed over in silence, and a shape that is passed
over checks nothing; so the lint refuses every `sh:` name that is not here.
"""

from typing import Final

from pyoxigraph import NamedNode

from aitia.vocab import RDF, SH

RDF_FIRST: Final = NamedNode(RDF.NS + "first")
RDF_REST: Final = NamedNode(RDF.NS + "rest")
RDF_NIL: Final = NamedNode(RDF.NS + "nil")

_TARGETS = "targetClass targetNode targetObjectsOf targetSubjectsOf"
_PATHS = "path inversePath alternativePath zeroOrMorePath oneOrMorePath zeroOrOnePath"
_SHAPES = "Shape NodeShape PropertyShape"
_ABOUT = (
    "deactivated message severity name description order group defaultValue "
    "PropertyGroup Severity Violation Warning Info NodeKind"
)
_KINDS = "BlankNode IRI Literal BlankNodeOrIRI BlankNodeOrLiteral IRIOrLiteral"
_CONSTRAINTS = (
    "class datatype nodeKind minCount maxCount minExclusive minInclusive maxExclusive "
    "maxInclusive minLength maxLength pattern flags languageIn uniqueLang equals "
    "disjoint lessThan lessThanOrEquals not and or xone node property "
    "qualifiedValueShape qualifiedMinCount qualifiedMaxCount "
    "qualifiedValueShapesDisjoint closed ignoredProperties hasValue in"
)
_SPARQL = (
    "sparql select ask prefixes declare prefix namespace PrefixDeclaration "
    "ConstraintComponent SPARQLConstraintComponent SPARQLConstraint SPARQLExecutable "
    "SPARQLAskExecutable SPARQLSelectExecutable SPARQLAskValidator "
    "SPARQLSelectValidator Validator validator nodeValidator propertyValidator "
    "Parameter Parameterizable parameter optional labelTemplate resultAnnotation "
    "ResultAnnotation annotationProperty annotationVarName annotationValue"
)
_REPORT = (
    "ValidationReport ValidationResult AbstractResult conforms result focusNode "
    "resultPath value sourceShape sourceConstraint sourceConstraintComponent detail "
    "resultMessage resultSeverity shapesGraphWellFormed shapesGraph "
    "suggestedShapesGraph"
)
_COMPONENTS = (
    "And Class Closed Datatype Disjoint Equals HasValue In LanguageIn LessThan "
    "LessThanOrEquals MaxCount MaxExclusive MaxInclusive MaxLength MinCount "
    "MinExclusive MinInclusive MinLength Node NodeKind Not Or Pattern Property "
    "QualifiedMaxCount QualifiedMinCount UniqueLang Xone"
)

SPARQL_TERMS: Final = frozenset(_SPARQL.split())
"""Terms that only SPARQL-based constraints use."""

KNOWN: Final = frozenset(
    [
        *" ".join(
            (_TARGETS, _PATHS, _SHAPES, _ABOUT, _KINDS, _CONSTRAINTS, _REPORT)
        ).split(),
        *SPARQL_TERMS,
        *(f"{name}ConstraintComponent" for name in _COMPONENTS.split()),
    ]
)
"""Every SHACL term that pySHACL acts on or that a report is made of."""

PARAMETERS: Final = frozenset([*_CONSTRAINTS.split(), "sparql"])
"""The properties of a shape that make it check something."""

_ADVANCED = (
    "target rule Rule TripleRule SPARQLRule condition construct Function "
    "SPARQLFunction returnType expression ExpressionConstraintComponent Target "
    "SPARQLTarget SPARQLTargetType TargetType JSTarget JSTargetType JSFunction "
    "JSConstraint JSRule JSValidator js jsFunctionName jsLibrary jsLibraryURL "
    "JSLibrary this filterShape nodes intersection union values subject predicate "
    "object entailment update"
)
ADVANCED: Final = frozenset(_ADVANCED.split())
"""Terms of SHACL's further parts (rules, functions, JavaScript), which are not run."""

_SHACL_1_2 = (
    "ShapeClass memberShape uniqueMembers minListLength maxListLength singleLine "
    "someValue subsetOf rootClass reifierShape reificationRequired targetWhere shape "
    "nodeByExpression uniqueValuesFor uniqueValuesForClass Debug Trace codeIdentifier "
    "intent agentInstruction conformanceDisallows TripleTerm BlankNodeOrTripleTerm "
    "IRIOrTripleTerm TripleTermOrLiteral SPARQLExpr sparqlExpr ListParameter "
    "ByTypes ListNodeExpression"
)
SHACL_1_2: Final = frozenset(_SHACL_1_2.split())
"""Terms of the SHACL 1.2 drafts, which pySHACL passes over."""


def sh(name: str) -> NamedNode:
    """Return a SHACL term of the closed list.

    Raises:
        KeyError: The list has no such term.
    """
    if name not in KNOWN:
        raise KeyError(name)
    return NamedNode(SH.NS + name)


def terms(names: str) -> tuple[NamedNode, ...]:
    """Return SHACL terms of the closed list, named in one text.

    Raises:
        KeyError: The list has no such term.
    """
    return tuple(sh(name) for name in names.split())
