"""Ed25519 signatures of commits: who could have made this chain, and who could not.

A signature stands beside a commit, outside its hash. That of the head covers the
whole chain, since each hash covers the one before.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from aitia.errors import SettingsError
from aitia.model import CommitRecord

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Signer:
    """Signs commits with one private key.

    Attributes:
        public_key: What checks the signatures, in hexadecimal.
    """

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public_key = key.public_key().public_bytes_raw().hex()

    @classmethod
    def load(cls, path: Path) -> Signer:
        """Read an unencrypted Ed25519 private key in PEM form.

        Raises:
            SettingsError: There is no such key in that file.
        """
        from cryptography.hazmat.primitives.asymmetric import ed25519
        from cryptography.hazmat.primitives.serialization import load_pem_private_key

        hint = "`openssl genpkey -algorithm ed25519 -out key.pem` makes one."
        try:
            key = load_pem_private_key(path.read_bytes(), password=None)
        except (OSError, ValueError, TypeError) as error:
            raise SettingsError(f"signing_key {path}: {error}", hint) from error
        if not isinstance(key, ed25519.Ed25519PrivateKey):
            raise SettingsError(f"signing_key {path} is no Ed25519 key.", hint)
        return cls(key)

    def signed(self, record: CommitRecord) -> CommitRecord:
        """Return the record with the signature of its hash."""
        signature = self._key.sign(bytes.fromhex(record.hash)).hex()
        return replace(record, signature=signature, signed_by=self.public_key)


def holds(record: CommitRecord) -> bool:
    """Return whether the signature that a record carries is one of its hash."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(record.signed_by))
        key.verify(bytes.fromhex(record.signature), bytes.fromhex(record.hash))
    except (InvalidSignature, ValueError):
        return False
    return True
