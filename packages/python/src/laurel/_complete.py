"""What a request leaves out: the kind of its account ids, and its operation ids."""

from __future__ import annotations

import secrets
from typing import Any, Iterator, NamedTuple, Optional


class Completed(NamedTuple):
    """Whether a request has operation ids, and the id if there is exactly one."""

    has_operation_ids: bool
    operation_id: Optional[str]


def new_operation_id() -> str:
    """A random id of 32 characters."""
    return secrets.token_hex(16)


def complete(request: Any, id_type: int, needs_operation_id: bool) -> Completed:
    """
    Fills in a request: the kind of its account ids and, with `needs_operation_id`, an operation id for each operation.
    The fields are in the request, or in the messages in it.
    """
    ids = []
    for holder in _holders_in(request):
        fields = holder.DESCRIPTOR.fields_by_name
        names_account = "account_id" not in fields or bool(holder.account_id)
        if "id_type" in fields and holder.id_type == 0 and names_account:
            holder.id_type = id_type
        if "operation_id" in fields:
            if needs_operation_id and holder.operation_id == "" and not fields["operation_id"].has_presence:
                holder.operation_id = new_operation_id()
            if holder.operation_id:
                ids.append(holder.operation_id)
    return Completed(bool(ids), ids[0] if len(ids) == 1 else None)


def _holders_in(request: Any) -> Iterator[Any]:
    yield request
    for field, value in request.ListFields():
        if field.message_type is None or field.message_type.full_name.startswith("google."):
            continue
        if hasattr(value, "ListFields"):
            yield value
        elif not hasattr(value, "keys"):
            yield from value
