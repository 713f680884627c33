"""What is looked for in a source."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any


@dataclass(frozen=True)
class Target:
    """A field and the value that should stand there.

    Attributes:
        field: The field's name, or an IRI.
        forms: How the value may be written; the first is its own text or IRI.
        is_type: The fact is what class something belongs to.
    """

    field: str
    forms: tuple[str, ...]
    is_type: bool = False

    def fits(self, written: Any) -> bool:
        """Say whether what is written is the value."""
        if isinstance(written, bool):
            return self.forms[0] == ("true" if written else "false")
        text = format(written, "f") if isinstance(written, Decimal) else str(written)
        text = text.strip()
        return text in self.forms or any(_same(text, form) for form in self.forms)


def _same(written: str, form: str) -> bool:
    """Compare as numbers or true and false: 10.50 is 10.5."""
    if written.lower() == form and form in ("true", "false"):
        return True
    try:
        return Decimal(written) == Decimal(form)
    except InvalidOperation:
        return written.replace("+00:00", "Z") == form.replace("+00:00", "Z")
