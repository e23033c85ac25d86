"""The settings of a client, from arguments and the environment."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Literal, Optional, Union
from urllib.parse import urlsplit

import grpc

from laurel import v1
from laurel._errors import LaurelError
from laurel._version import __version__

IdType = Literal["EXTERNAL", "INTERNAL"]
"""The kind of an account id: EXTERNAL for your own ids, INTERNAL for Laurel's UUIDs."""


@dataclass(eq=False)
class Call:
    """A call, as hooks see it: the same object in all hooks of the call."""

    name: str
    """For example `laurel.v1.TriggerService/EmitTrigger`."""
    headers: Dict[str, str]
    """The headers of the next attempt, in lower case; `before` may add some, such as `traceparent`."""
    operation_id: Optional[str]
    """The operation id; None if the call has none, or several."""
    attempts: int = 0
    """How many attempts have begun."""


@dataclass(frozen=True)
class Hooks:
    """Functions around each call, for traces, figures and logs. An error in a hook is ignored."""

    before: Optional[Callable[[Call], object]] = None
    """Runs before the first attempt."""
    after: Optional[Callable[[Call], object]] = None
    """Runs after a successful call."""
    error: Optional[Callable[[Call, LaurelError], object]] = None
    """Runs after a call that failed for good."""


@dataclass(frozen=True)
class Settings:
    """The settings of one client."""

    target: str
    secure: bool
    key: Union[str, Callable[[], Any]]
    id_type: int
    timeout: float
    retries_max: int
    hooks: Hooks
    root_certificates: Optional[bytes] = field(default=None, repr=False)

    def channel_options(self) -> list[tuple[str, Any]]:
        """The options of a channel: the package repeats calls, so gRPC does not; a lost connection is made again at once."""
        return [
            ("grpc.primary_user_agent", f"laurel-python/{__version__}"),
            ("grpc.enable_retries", 0),
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.initial_reconnect_backoff_ms", 100),
            ("grpc.min_reconnect_backoff_ms", 1_000),
            ("grpc.max_reconnect_backoff_ms", 1_000),
            # The answer to a batch of 1,000 events may be greater than gRPC's 4 MiB.
            ("grpc.max_receive_message_length", 64 * 1024 * 1024),
        ]

    def credentials(self) -> Any:
        """The credentials of a channel with TLS."""
        return grpc.ssl_channel_credentials(root_certificates=self.root_certificates)


def settings_of(
    url: Optional[str],
    key: Union[str, Callable[[], Any], None],
    id_type: IdType,
    timeout: float,
    retries_max: int,
    hooks: Optional[Hooks],
    root_certificates: Optional[bytes],
) -> Settings:
    """Raises ValueError without an address or a key, or with an address that gRPC cannot have."""
    url = url or os.environ.get("LAUREL_URL")
    key = key or os.environ.get("LAUREL_KEY")
    if not url:
        raise ValueError("No address: pass `url`, or set the environment variable LAUREL_URL.")
    if not key:
        raise ValueError("No key: pass `key`, or set the environment variable LAUREL_KEY.")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"The address must begin with http:// or https://, not '{url}'.")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError(f"The address must have no path, because gRPC allows none: '{url}'.")
    secure = parts.scheme == "https"
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Settings(
        target=f"{host}:{parts.port or (443 if secure else 80)}",
        secure=secure,
        key=key,
        id_type=id_type_of(id_type),
        timeout=timeout,
        retries_max=retries_max,
        hooks=hooks or Hooks(),
        root_certificates=root_certificates,
    )


def id_type_of(id_type: Optional[IdType]) -> int:
    """The number of an id type in the protos; that of none is unspecified."""
    return v1.Account.IdType.Value(id_type or "ID_TYPE_UNSPECIFIED")
