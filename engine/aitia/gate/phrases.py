"""What is said of each kind of constraint: what was found, and what would mend it.

In braces stand the parameters of the constraint by their SHACL names, and `path`,
`count` and `value` of the result. A name with `_list` is a list parameter.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CLAUSES: Final[Mapping[str, str]] = {
    "Datatype": "is no {datatype}",
    "Class": "is no {class} on record",
    "NodeKind": "is not of the kind {nodeKind}",
    "MinInclusive": "is not {minInclusive} or more",
    "MaxInclusive": "is not {maxInclusive} or less",
    "MinExclusive": "is not more than {minExclusive}",
    "MaxExclusive": "is not less than {maxExclusive}",
    "MinLength": "is shorter than {minLength} characters",
    "MaxLength": "is longer than {maxLength} characters",
    "Pattern": "does not match {pattern}",
    "LanguageIn": "is in none of the languages {languageIn_list}",
    "Equals": "is not among both its {path} and its {equals}",
    "Disjoint": "is also its {disjoint}",
    "LessThan": "is not less than its {lessThan}",
    "LessThanOrEquals": "is more than its {lessThanOrEquals}",
    "In": "is none of {in_list}",
    "Not": "fits what it must not fit",
    "And": "does not fit all of: {and_list}",
    "Or": "fits none of: {or_list}",
    "Xone": "does not fit exactly one of: {xone_list}",
    "Node": "does not fit the shape it must fit",
    "Closed": "the shape does not list",
}
"""Said of a value, after "has VALUE as PATH, which …"; or of the node itself."""

SENTENCES: Final[Mapping[str, str]] = {
    "MinCount": "has {count} {path}, at least {minCount} needed",
    "MaxCount": "has {count} values as {path}, at most {maxCount} allowed",
    "UniqueLang": "has several {path} in one language",
    "HasValue": "does not have {hasValue} as {path}",
    "QualifiedMinCount": "has too few {path} that fit, at least {qualifiedMinCount} needed",
    "QualifiedMaxCount": "has too many {path} that fit, at most {qualifiedMaxCount} allowed",
}
"""Said of the node."""

MENDS: Final[Mapping[str, str]] = {
    "MinCount": "Give it at least {minCount} {path}.",
    "MaxCount": "Leave it at most {maxCount} {path}.",
    "Datatype": "Write it as {datatype}.",
    "Class": "Point to a {class}, or say that this is one.",
    "NodeKind": "Use a term of the kind {nodeKind}.",
    "MinInclusive": "Use {minInclusive} or more.",
    "MaxInclusive": "Use {maxInclusive} or less.",
    "MinExclusive": "Use more than {minExclusive}.",
    "MaxExclusive": "Use less than {maxExclusive}.",
    "MinLength": "Write at least {minLength} characters.",
    "MaxLength": "Write at most {maxLength} characters.",
    "Pattern": "Write it so that it matches {pattern}.",
    "LanguageIn": "Use one of the languages {languageIn_list}.",
    "UniqueLang": "Keep one {path} for each language.",
    "Equals": "Give {path} and {equals} the same values.",
    "Disjoint": "Take it out of {path} or of {disjoint}.",
    "LessThan": "Make it less than {lessThan}.",
    "LessThanOrEquals": "Make it at most {lessThanOrEquals}.",
    "In": "Use one of {in_list}.",
    "HasValue": "Add {hasValue} as {path}.",
    "Closed": "Take it out, or add it to the shape.",
    "QualifiedMinCount": "Add a {path} that fits.",
    "QualifiedMaxCount": "Take out a {path} that fits.",
}
"""Said where the shape has no message of its own."""
