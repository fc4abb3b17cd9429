"""Secrets go to the system's key store, or nowhere: never to a file of ours."""

from __future__ import annotations

from engine.core.errors import KnownError

_SERVICE = "sheaf"


def key_store_problem() -> str:
    """Why no key store can be used here; "" if one can."""
    import keyring
    from keyring.backends import fail

    backend = keyring.get_keyring()
    if isinstance(backend, fail.Keyring) or backend.priority <= 0:
        return "no key store on this machine"
    return ""


def remember(name: str, secret: str) -> None:
    """Store a secret. Raises KnownError where there is no key store."""
    import keyring
    from keyring.errors import KeyringError

    _require_store()
    try:
        keyring.set_password(_SERVICE, name, secret)
    except KeyringError as error:
        raise KnownError(f"The key store refused the secret: {error}.", help="Unlock it and try again.") from error


def recall(name: str) -> str | None:
    """The secret, or None if none was stored. Raises KnownError where there is no key store."""
    import keyring
    from keyring.errors import KeyringError

    _require_store()
    try:
        return keyring.get_password(_SERVICE, name)
    except KeyringError as error:
        raise KnownError(f"The key store did not answer: {error}.", help="Unlock it and try again.") from error


def _require_store() -> None:
    if problem := key_store_problem():
        raise KnownError(
            f"Secrets cannot be kept: {problem}.", help="Install or unlock a key store.", code="no-keyring"
        )
