"""The requests of the short forms."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Optional, Union

from laurel import v1
from laurel._errors import error_of_program
from laurel._lists import Where, filter_of
from laurel._settings import IdType, id_type_of


def reversal(
    code: str,
    operation_id: str,
    amount: Union[int, float, Decimal, None],
    reason: str,
    reversal_operation_id: Optional[str],
) -> v1.ReverseTriggerRequest:
    """The request that takes an event back. Raises BadRequestError if a value has a wrong type."""
    try:
        request = v1.ReverseTriggerRequest(
            reversal={
                "programmatic_code": code,
                "trigger_operation_id": operation_id,
                "operation_id": reversal_operation_id or "",
                "reason": reason,
            }
        )
        if amount is not None:
            request.reversal.amount = float(amount)
        return request
    except Exception as thrown:
        raise error_of_program(thrown) from thrown


def of_account(message: Any, account: str, id_type: Optional[IdType], where: Optional[Where] = None, field: str = "account_id") -> Any:
    """A request about one account. Raises BadRequestError if a value has a wrong type."""
    try:
        request = message(**{field: account}, id_type=id_type_of(id_type))
        filters = filter_of(where)
        if filters is not None:
            request.filters.CopyFrom(filters)
        return request
    except Exception as thrown:
        raise error_of_program(thrown) from thrown
