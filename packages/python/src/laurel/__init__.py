"""The client of Laurel, a self-hosted gamification and rewards service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laurel._version import __version__

if TYPE_CHECKING:
    from laurel._aio import AsyncLaurel
    from laurel._client import Laurel
    from laurel._errors import FieldFault, LaurelError
    from laurel._events import BatchedEvent, BatchOutcome, EventContent, QuietOutcome
    from laurel._gen.errors import *  # noqa: F403
    from laurel._settings import Call, Hooks, IdType
    from laurel.webhooks import WebhookChange, WebhookVerificationError, verify_webhook
else:
    # Names are imported when they are first used: webhooks need no gRPC, and pytest imports this package in every run.
    _HOMES = {
        "AsyncLaurel": "_aio",
        "BatchOutcome": "_events",
        "BatchedEvent": "_events",
        "Call": "_settings",
        "EventContent": "_events",
        "FieldFault": "_errors",
        "Hooks": "_settings",
        "IdType": "_settings",
        "Laurel": "_client",
        "LaurelError": "_errors",
        "QuietOutcome": "_events",
        "WebhookChange": "webhooks",
        "WebhookVerificationError": "webhooks",
        "verify_webhook": "webhooks",
    }

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        # The classes of the codes are the only other names.
        home = _HOMES.get(name) or ("_gen.errors" if name.endswith("Error") else None)
        if home is None:
            raise AttributeError(f"module 'laurel' has no attribute '{name}'")
        try:
            value = getattr(import_module(f"laurel.{home}"), name)
        except AttributeError:
            raise AttributeError(f"module 'laurel' has no attribute '{name}'") from None
        globals()[name] = value
        return value


# Without the classes of the codes, one of which has the name of a class of Python: `NotImplementedError`.
__all__ = [
    "AsyncLaurel",
    "BatchOutcome",
    "BatchedEvent",
    "Call",
    "EventContent",
    "FieldFault",
    "Hooks",
    "IdType",
    "Laurel",
    "LaurelError",
    "QuietOutcome",
    "WebhookChange",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
