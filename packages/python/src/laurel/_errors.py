"""The errors of calls, made from what the service or gRPC says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Iterable, Optional, Sequence

import grpc

from laurel._gen.statuses import STATUSES
from laurel._messages import message

# Kinds after which the same call may succeed later.
_RETRYABLE = {"IN_PROGRESS", "RATE_LIMITED", "UNAVAILABLE", "INTERNAL", "DEADLINE_EXCEEDED", "REQUEST_TIMEOUT"}

_Status = message("google.rpc.Status", __name__)
_ErrorInfo = message("google.rpc.ErrorInfo", __name__)
_BadRequest = message("google.rpc.BadRequest", __name__)

# The code of an error without `ErrorInfo`, which came from no Laurel, and the kind of the status.
_UNNAMED = {
    # The program's own cancellation is `asyncio.CancelledError`, so a stream that was cancelled was lost.
    grpc.StatusCode.CANCELLED: ("UNAVAILABLE", "UNAVAILABLE"),
    grpc.StatusCode.INVALID_ARGUMENT: ("BAD_REQUEST", "INVALID"),
    grpc.StatusCode.DEADLINE_EXCEEDED: ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"),
    grpc.StatusCode.NOT_FOUND: ("NOT_FOUND", "NOT_FOUND"),
    grpc.StatusCode.ALREADY_EXISTS: ("ALREADY_EXISTS", "ALREADY_EXISTS"),
    grpc.StatusCode.PERMISSION_DENIED: ("FORBIDDEN", "FORBIDDEN"),
    grpc.StatusCode.RESOURCE_EXHAUSTED: ("PAYLOAD_TOO_LARGE", "TOO_LARGE"),
    grpc.StatusCode.FAILED_PRECONDITION: ("FAILED_PRECONDITION", "CONFLICT"),
    grpc.StatusCode.ABORTED: ("OPERATION_IN_PROGRESS", "IN_PROGRESS"),
    grpc.StatusCode.UNIMPLEMENTED: ("NOT_IMPLEMENTED", "UNIMPLEMENTED"),
    grpc.StatusCode.INTERNAL: ("INTERNAL_SERVER_ERROR", "INTERNAL"),
    grpc.StatusCode.UNAVAILABLE: ("UNAVAILABLE", "UNAVAILABLE"),
    grpc.StatusCode.UNAUTHENTICATED: ("UNAUTHENTICATED", "UNAUTHENTICATED"),
}

# The kind of an item's error by its status.
_ITEM_KINDS = {
    400: "INVALID",
    401: "UNAUTHENTICATED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    409: "CONFLICT",
    413: "TOO_LARGE",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}

# What gRPC says if a connection breaks where no status is known yet.
_LOST = ("Stream removed", "Connection reset", "Socket closed")


@dataclass(frozen=True)
class FieldFault:
    """A field that breaks a rule."""

    field: str
    """The field, as the JSON of a request spells it."""
    rule: Optional[str]
    """The rule, such as `int32.gte`; None if it has no name."""
    message: str
    """Says what to send instead."""


class LaurelError(Exception):
    """The error of a call, or of an item of a batch. Each code of the service has a subclass, such as `AccountNotFoundError`."""

    CODE = ""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        kind: str,
        retry_after: Optional[float] = None,
        details: Sequence[FieldFault] = (),
        trace_id: Optional[str] = None,
        attempts: int = 1,
        operation_id: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        """The code of the service. A code that is newer than this package has no subclass."""
        self.kind = kind
        """The kind of the error: one for each way to react, such as `NOT_FOUND`."""
        self.status: int = STATUSES[kind]
        """The HTTP status of the kind, 400-599."""
        self.retryable = kind in _RETRYABLE
        """Whether the same call, with the same operation id, may succeed later."""
        self.retry_after = retry_after
        """The wait that the service asks for, in seconds; None if it asks for none."""
        self.details = list(details)
        """The fields that break rules, at most ten."""
        self.trace_id = trace_id
        """The id of the call in the log of the service; None if the service did not answer."""
        self.attempts = attempts
        """How many times the call was sent."""
        self.operation_id = operation_id
        """The operation id of the call; None if it has none, or several."""

    def __reduce__(self) -> Any:
        # Errors cross processes, for example from the worker of a task queue.
        return (_restored, (type(self), self.message, self.code, self.kind, dict(self.__dict__)))


def _restored(cls: type[LaurelError], text: str, code: str, kind: str, parts: dict[str, Any]) -> LaurelError:
    error = cls(text, code=code, kind=kind)
    error.__dict__.update(parts)
    return error


# The class of each code; the generated classes are added when they are imported.
CLASSES: dict[str, type[LaurelError]] = {}


def made(text: str, *, code: str, kind: str, **parts: Any) -> LaurelError:
    """The error of a code, of its class."""
    return CLASSES.get(code, LaurelError)(text, code=code, kind=kind, **parts)


def error_of(failure: Any, attempts: int, operation_id: Optional[str]) -> LaurelError:
    """The error of a failed call of gRPC. A failure that is not known has the code UNKNOWN and is not retryable."""
    trailers = [*_pairs(failure.initial_metadata), *_pairs(failure.trailing_metadata)]
    info, violations = _details_of(trailers)
    text = failure.details() or "There was no answer."
    unnamed, kind = _UNNAMED.get(failure.code(), ("UNKNOWN", "INVALID"))
    if kind == "INVALID" and failure.code() is grpc.StatusCode.UNKNOWN and any(word in text for word in _LOST):
        unnamed = kind = "UNAVAILABLE"
    reasons = dict(info.metadata) if info is not None else {}
    code = info.reason if info is not None else unnamed
    return made(
        text,
        code=code,
        # This kind shares its status with TOO_LARGE.
        kind="RATE_LIMITED" if code == "RATE_LIMITED" else "CANCELED" if code == "CANCELED" else kind,
        trace_id=reasons.get("traceId"),
        details=[FieldFault(each.field, reasons.get(f"rule.{index}"), each.description) for index, each in enumerate(violations)],
        retry_after=_retry_after(trailers),
        attempts=attempts,
        operation_id=operation_id,
    )


def error_of_item(item: Any, attempts: int, operation_id: Optional[str]) -> LaurelError:
    """The error of one item of a batch, a `laurel.v1.ItemError`."""
    # Three kinds share the status 409.
    if item.code == "OPERATION_IN_PROGRESS":
        kind = "IN_PROGRESS"
    elif item.code.endswith("_ALREADY_EXISTS"):
        kind = "ALREADY_EXISTS"
    else:
        kind = _ITEM_KINDS.get(item.status_code, "INTERNAL")
    return made(item.message, code=item.code, kind=kind, attempts=attempts, operation_id=operation_id)


def error_of_program(thrown: Exception) -> LaurelError:
    """The error of anything that failed before a call was sent: a value of a wrong type, or a mistake of the program."""
    if isinstance(thrown, LaurelError):
        return thrown
    is_value = isinstance(thrown, (TypeError, ValueError))
    code, kind = ("BAD_REQUEST", "INVALID") if is_value else ("UNKNOWN", "INVALID")
    error = made(str(thrown) or type(thrown).__name__, code=code, kind=kind, attempts=0)
    error.__cause__ = thrown
    return error


def _pairs(read: Any) -> Iterable[tuple[str, Any]]:
    pairs = read()
    return [] if pairs is None else [(str(key), value) for key, value in pairs]


def _details_of(trailers: Sequence[tuple[str, Any]]) -> tuple[Any, Sequence[Any]]:
    """The `ErrorInfo` of an error and the fields that break rules."""
    info, violations = None, []
    for key, value in trailers:
        if key != "grpc-status-details-bin":
            continue
        for detail in _Status.FromString(value).details:
            name = detail.type_url.rpartition("/")[2]
            if name == "google.rpc.ErrorInfo":
                info = _ErrorInfo.FromString(detail.value)
            elif name == "google.rpc.BadRequest":
                violations = list(_BadRequest.FromString(detail.value).field_violations)
    return info, violations


def _retry_after(trailers: Sequence[tuple[str, Any]]) -> Optional[float]:
    """The time in `Retry-After`: seconds, or a date."""
    value = next((value for key, value in trailers if key == "retry-after"), None)
    if not value:
        return None
    try:
        wait = float(value)
    except ValueError:
        try:
            wait = (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds()
        except (TypeError, ValueError):
            return None
    return wait if wait >= 0 else None
