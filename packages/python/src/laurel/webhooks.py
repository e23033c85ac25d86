"""Webhooks of Laurel: their signatures and their bodies. Nothing here needs a client."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Optional, Sequence, Union, cast

from laurel._gen.webhook_bodies import *  # noqa: F403
from laurel._gen.webhook_bodies import WebhookChange


class WebhookVerificationError(Exception):
    """A request that was not sent by Laurel, was changed, or is too old. Answer 400."""


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str], None],
    *,
    tolerance: float = 300.0,
) -> WebhookChange:
    """
    Verifies the signature of a webhook, as Standard Webhooks describes it, and returns its parsed body.

    `body` is the raw body, before any parser. `secrets` is the signing secret, `whsec_...`; several during a rotation.
    `tolerance` is the greatest age in seconds. Raises WebhookVerificationError if the request is not genuine.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id = given.get("webhook-id", "")
    timestamp = given.get("webhook-timestamp", "")
    if not message_id or not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookVerificationError("The request is not signed.")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookVerificationError("The request is too old, or from the future.")
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{message_id}.{timestamp}.".encode() + content
    signatures = [each[3:] for each in given.get("webhook-signature", "").split(" ") if each.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets or []:
        digest = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
        for signature in signatures:
            # The comparison takes the same time for every signature.
            if hmac.compare_digest(digest, _bytes_of(signature) or b""):
                return cast(WebhookChange, json.loads(content))
    raise WebhookVerificationError("The request was not signed with this secret, or was changed.")


def _key_of(secret: str) -> bytes:
    """Raises WebhookVerificationError without a secret, because anybody can sign with an empty one."""
    key = _bytes_of(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    if not key:
        raise WebhookVerificationError("The signing secret is empty or malformed: it is `whsec_` and base64.")
    return key


def _bytes_of(text: str) -> Optional[bytes]:
    """The bytes of base64; None if it is malformed."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
