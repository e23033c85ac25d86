"""Events as plain values, and their messages."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, List, Mapping, Optional, Sequence, TypedDict, Union

from laurel import v1
from laurel._attempts import Attempts
from laurel._complete import new_operation_id
from laurel._errors import LaurelError, error_of_item, error_of_program
from laurel._settings import IdType, id_type_of


class EventContent(TypedDict, total=False):
    """The content of an event."""

    amount: Union[int, float, Decimal, None]
    """The amount of an AMOUNT event, from 0 to 1e9 with at most four decimals; absent for a SINGLE event."""
    attributes: Optional[Mapping[str, Any]]
    """The attributes that the event definition declares. Those that are None are left out."""
    occurred_at: Optional[datetime]
    """The time at which it occurred, with a time zone, at most 24 hours back; now by default."""


class _Named(TypedDict):
    code: str
    """The code of an event definition."""
    account: str


class BatchedEvent(_Named, EventContent, total=False):
    """One event of a batch."""

    id_type: Optional[IdType]
    operation_id: Optional[str]
    """The id of your own operation; a random one by default."""


@dataclass(frozen=True)
class QuietOutcome:
    """The outcome of an event that must not fail its caller."""

    ok: bool
    result: Optional[v1.EmitTriggerResponse] = None
    reason: Optional[str] = None
    """The code of the error; None if the event was applied."""
    error: Optional[LaurelError] = None


@dataclass(frozen=True)
class BatchOutcome:
    """The outcome of one event of a batch: its result or its error."""

    result: Optional[v1.TriggerResult] = None
    error: Optional[LaurelError] = None


def trigger_of(
    code: str,
    account: str,
    content: Optional[EventContent],
    operation_id: Optional[str],
    id_type: Optional[IdType],
) -> v1.Trigger:
    """The message of an event. Raises BadRequestError if a value has a wrong type."""
    try:
        parts: Any = dict(content or {})
        amount, attributes = parts.pop("amount", None), parts.pop("attributes", None)
        occurred_at = parts.pop("occurred_at", None)
        if parts:
            raise ValueError(f"'{next(iter(parts))}' is no part of an event: attributes are in 'attributes'.")
        trigger = v1.Trigger(
            programmatic_code=code,
            account_id=account,
            id_type=id_type_of(id_type),  # type: ignore[arg-type]
            operation_id=operation_id or "",
        )
        values = {**(attributes or {}), "amount": amount}
        metadata = {name: plain(value) for name, value in values.items() if value is not None}
        if metadata:
            trigger.metadata.update(metadata)
        if occurred_at is not None:
            trigger.occurred_at.FromDatetime(_with_zone(occurred_at))
        return trigger
    except Exception as thrown:
        raise error_of_program(thrown) from thrown


def plain(value: Any) -> Any:
    """A value as JSON has it: decimals are numbers, moments and days are text."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime):
        return _with_zone(value).isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(each) for each in value]
    return value


def _with_zone(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise ValueError("A moment needs a time zone, as in datetime.now(timezone.utc).")
    return moment


class Batch:
    """The events of a batch in order, those that wait for another attempt among them."""

    def __init__(self, events: Sequence[BatchedEvent]) -> None:
        # With ids that stay the same in all attempts.
        self._messages = [_message_of(event) for event in events]
        self.outcomes: List[BatchOutcome] = [BatchOutcome() for _ in events]
        self._waiting = list(range(len(events)))

    def request(self) -> v1.EmitTriggerBatchRequest:
        """The events that wait."""
        return v1.EmitTriggerBatchRequest(triggers=[self._messages[index] for index in self._waiting])

    def take(self, response: v1.EmitTriggerBatchResponse, attempts: Attempts) -> Optional[float]:
        """Notes the outcomes. Returns the seconds until the next attempt; None if there is none."""
        for index, item in zip(self._waiting, response.results):
            if item.WhichOneof("outcome") == "result":
                self.outcomes[index] = BatchOutcome(result=item.result)
            else:
                error = error_of_item(item.error, attempts.count, self._messages[index].operation_id)
                self.outcomes[index] = BatchOutcome(error=error)
        errors = [(index, self.outcomes[index].error) for index in self._waiting]
        self._waiting = [index for index, error in errors if error is not None and error.retryable]
        first = next((error for _, error in errors if error is not None and error.retryable), None)
        return None if first is None else attempts.wait_after(first)


def _message_of(event: BatchedEvent) -> v1.Trigger:
    parts: Any = dict(event)
    code, account = parts.pop("code", ""), parts.pop("account", "")
    operation_id = parts.pop("operation_id", None) or new_operation_id()
    return trigger_of(code, account, parts, operation_id, parts.pop("id_type", None))
