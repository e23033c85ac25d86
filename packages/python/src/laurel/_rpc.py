"""The operations of the service, as values: their messages, and whether a program may repeat them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, TypedDict, TypeVar

I = TypeVar("I")
O = TypeVar("O")
R = TypeVar("R")
W = TypeVar("W")

Repeat = Literal["SAFE", "WITH_OPERATION_ID", "NEVER"]


class NoWhere(TypedDict):
    """The conditions of a list that cannot be filtered."""


@dataclass(frozen=True)
class Rpc(Generic[I, O]):
    """An operation: `name` is for example `laurel.v1.TriggerService/EmitTrigger`."""

    name: str
    request: Any
    response: Any
    repeat: Repeat


@dataclass(frozen=True)
class ListRpc(Rpc[I, O], Generic[I, O, R, W]):
    """An operation that answers with a page of rows `R`; `W` has the fields by which it can be filtered."""


@dataclass(frozen=True)
class StreamRpc(Rpc[I, O]):
    """An operation that answers with a stream of messages."""
