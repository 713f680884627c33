"""Secrets are masked, length for length, and nothing else is touched."""

import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from aitia.errors import SettingsError
from aitia.redact import MASK, Redactor
from aitia.settings import Settings

PEM = (
    "-----BEGIN OPENSSH PRIVATE KEY-----\n"
    "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n"
    "-----END OPENSSH PRIVATE KEY-----"
)
SECRETS = {
    "openai": "sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12",
    "aws id": "AKIAIOSFODNN7EXAMPLE",
    "github": "ghp_" + "a1B2c3D4e5" * 4,
    "github fine": "github_pat_11ABCDEFG0abcdefghijkl",
    "slack": "xoxb-123456789012-abcdefABCDEF",
    "google": "AIza" + "Sy0123456789abcdefghijklmnopqrstuvw",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlMTIz",
    "pem": PEM,
}


@pytest.mark.parametrize("secret", SECRETS.values(), ids=SECRETS.keys())
def test_known_kinds_of_keys_are_masked(secret: str) -> None:
    text = f"Before é😀 {secret} after."
    masked, count = Redactor().redact(text)
    assert count == 1
    assert len(masked) == len(text)
    assert masked.startswith("Before é😀 ")
    assert masked.endswith(" after.")
    assert not set(secret) - {"\n"} & set(masked[10:-7])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Authorization: Bearer abc123def456ghi789", "Authorization: Bearer "),
        ("postgres://shop:s3cret-pw@db.example/orders", "postgres://shop:"),
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY1",
            "aws_secret_access_key = ",
        ),
    ],
)
def test_only_the_secret_part_is_masked(text: str, kept: str) -> None:
    masked, count = Redactor().redact(text)
    assert count == 1
    assert masked.startswith(kept + MASK)


@pytest.mark.parametrize(
    "text",
    [
        "The bearer responsibilities are listed in section 4.",
        "See https://example.org:8080/path and mail me@example.org",
        "class sk-estimator-documentation-link of the page",
        "Order #W2890441 was pending at 10:30.",
        "",
    ],
)
def test_plain_text_stays(text: str) -> None:
    assert Redactor().redact(text) == (text, 0)


def test_values_of_the_environment_are_masked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_API_KEY", "very-hidden-value")
    monkeypatch.setenv("KEYBOARD_LAYOUT", "a-plain-value-here")
    monkeypatch.setenv("OTHER_TOKEN", "short")
    masked, count = Redactor().redact(
        "very-hidden-value, a-plain-value-here, short, very-hidden-value"
    )
    assert count == 2
    assert masked == f"{MASK * 17}, a-plain-value-here, short, {MASK * 17}"


def test_a_variable_that_names_a_file_is_no_secret(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    key = tmp_path / "signing-key.pem"
    key.touch()
    monkeypatch.setenv("AITIA_SIGNING_KEY", str(key))
    assert Redactor().redact(f"at {key}") == (f"at {key}", 0)


def test_patterns_of_the_user() -> None:
    redactor = Redactor(Settings(redact_patterns=(r"CUST-\d+",)))
    assert redactor.redact("for CUST-123.") == (f"for {MASK * 8}.", 1)


def test_a_pattern_that_is_none_is_said() -> None:
    with pytest.raises(SettingsError, match="redact_patterns"):
        Redactor(Settings(redact_patterns=("(",)))


def test_a_pattern_that_would_run_for_ever_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("aitia.redact.PATTERN_SECONDS", 0.2)
    redactor = Redactor(Settings(redact_patterns=(r"(?:a|aa)+$",)))
    with pytest.raises(SettingsError, match="took more than"):
        redactor.redact("a" * 40 + "b")


@pytest.fixture
def hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "shop_hooks.py").write_text(
        "def names(text):\n"
        "    at = text.find('Alice')\n"
        "    return [(at, at + 5)] if at >= 0 else []\n"
        "def beyond(text): return [(0, len(text) + 1)]\n"
        "def fails(text): raise KeyError('x')\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shop_hooks", raising=False)
    return "shop_hooks"


def test_the_hook_of_the_user(hooks: str) -> None:
    redactor = Redactor(Settings(redact_hook=f"{hooks}:names"))
    assert redactor.redact("for Alice.") == (f"for {MASK * 5}.", 1)


@pytest.mark.parametrize("name", ["beyond", "fails", "missing"])
def test_a_hook_that_does_not_work_refuses_the_text(hooks: str, name: str) -> None:
    with pytest.raises(SettingsError, match="redact_hook"):
        Redactor(Settings(redact_hook=f"{hooks}:{name}")).redact("text")


def test_values_of_tool_calls_are_masked_inside() -> None:
    secret = SECRETS["openai"]
    value = {"headers": [f"key {secret}"], "n": 3, "none": None, secret: True}
    masked, count = Redactor().redact_value(value)
    assert count == 2
    assert masked["headers"] == [f"key {MASK * len(secret)}"]
    assert secret not in repr(masked)
    assert masked["n"] == 3


@given(st.lists(st.sampled_from([*SECRETS.values(), "α", " ", "\n", "word", "."])))
def test_offsets_outside_secrets_stay_true(parts: list[str]) -> None:
    text = " ".join(parts)
    masked, _ = Redactor().redact(text)
    assert len(masked) == len(text)
    assert all(new in (old, MASK) for old, new in zip(text, masked, strict=True))
    assert [i for i, c in enumerate(text) if c == "\n"] == [
        i for i, c in enumerate(masked) if c == "\n"
    ]
    assert not any(secret in masked for secret in SECRETS.values())


@given(st.text())
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once, _ = Redactor().redact(text)
    assert Redactor().redact(once)[0] == once
