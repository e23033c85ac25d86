"""Lists: their conditions, and their pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, AsyncIterator, Callable, Generic, Iterator, Mapping, Optional, TypeVar, cast

from laurel import v1
from laurel._events import plain

if TYPE_CHECKING:
    from typing_extensions import Self

Where = Mapping[str, Any]
R = TypeVar("R")
W = TypeVar("W")


def filter_of(
    where: Optional[Where],
    attributes: Optional[Where] = None,
    match_any: Optional[bool] = None,
    include_deleted: Optional[bool] = None,
) -> Optional[v1.Filter]:
    """The filter of some conditions; None without any."""
    conditions = {_camel(name): value for name, value in (where or {}).items()}
    conditions.update({f"attributes.{name}": value for name, value in (attributes or {}).items()})
    if not conditions and include_deleted is None:
        return None
    filters = v1.Filter()
    for name, value in conditions.items():
        _set(filters.filters.add(field=name).value, plain(value))
    if match_any is not None:
        filters.match_all = not match_any
    if include_deleted is not None:
        filters.include_deleted = include_deleted
    return filters


class Query(Generic[R, W]):
    """A list that is not read yet: its operation, its conditions, and how its pages are asked for."""

    def __init__(self, call: Callable[..., Any], rpc: Any, timeout: Optional[float], request: Any, **fields: Any) -> None:
        self._call, self._rpc, self._timeout = call, rpc, timeout
        self._request, self._fields = request, fields

    def where(
        self,
        conditions: Optional[W] = None,
        *,
        attributes: Optional[Where] = None,
        match_any: Optional[bool] = None,
        include_deleted: Optional[bool] = None,
    ) -> Self:
        """
        The list with conditions: a value for each field, several of which any matches, or None for absence.

        In a list by page a single text matches a part, and a list of texts matches whole ones. `attributes`: conditions
        on attributes by their names. `match_any`: any of the conditions must hold, instead of all.
        """
        filters = filter_of(cast(Optional[Where], conditions), attributes, match_any, include_deleted)
        return type(self)(self._call, self._rpc, self._timeout, self._request, **{**self._fields, "filters": filters})

    def _pages(self) -> Pages:
        return Pages(self._rpc, self._request, self._fields)


class Rows(Query[R, W]):
    """The rows of a list. Each iteration reads the list from its beginning, and asks for a page when it needs one."""

    def __iter__(self) -> Iterator[R]:
        pages = self._pages()
        while True:
            response = self._call(self._rpc, pages.request, timeout=self._timeout)
            yield from response.rows
            if not pages.turn(response):
                return


class AsyncRows(Query[R, W]):
    """The rows of a list. Each iteration reads the list from its beginning, and asks for a page when it needs one."""

    async def __aiter__(self) -> AsyncIterator[R]:
        pages = self._pages()
        while True:
            response = await self._call(self._rpc, pages.request, timeout=self._timeout)
            for row in response.rows:
                yield row
            if not pages.turn(response):
                return


class Pages:
    """The requests of a list, page after page. Raises ValueError if the list takes no such field."""

    def __init__(self, rpc: Any, request: Any, fields: Mapping[str, Any]) -> None:
        self.request = rpc.request()
        if request is not None:
            self.request.CopyFrom(request)
        known = rpc.request.DESCRIPTOR.fields_by_name
        self._by_page = "page" in known
        given = dict(fields)
        page_size = given.pop("page_size")
        if "limit" in known:
            given["limit"] = page_size
        if self._by_page:
            given["page"] = 1
        for name, value in given.items():
            if value is None:
                continue
            if name not in known:
                raise ValueError(f"{rpc.name} takes no {name}.")
            if name == "filters":
                self.request.filters.CopyFrom(value)
            else:
                setattr(self.request, name, _order(value) if name == "order_by" else value)

    def turn(self, response: Any) -> bool:
        """Makes the request that of the next page. False after the last one."""
        if self._by_page:
            self.request.page += 1
            return bool(response.next)
        cursor = getattr(response, "next_cursor", "")
        if cursor:
            self.request.cursor = cursor
        return bool(cursor)


def _set(target: Any, value: Any) -> None:
    """Sets a `google.protobuf.Value`."""
    if value is None:
        target.null_value = 0
    elif isinstance(value, bool):
        target.bool_value = value
    elif isinstance(value, (int, float)):
        target.number_value = value
    elif isinstance(value, list):
        target.list_value.SetInParent()
        for each in value:
            _set(target.list_value.values.add(), each)
    else:
        target.string_value = value


def _order(order_by: str) -> str:
    """`createdAt desc` for `created_at desc`."""
    field, _, direction = order_by.partition(" ")
    return f"{field if field.startswith('attributes.') else _camel(field)} {direction}".strip()


def _camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda found: found.group(1).upper(), name)
