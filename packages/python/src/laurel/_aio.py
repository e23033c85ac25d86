"""The client for asyncio."""

from __future__ import annotations

import asyncio
import inspect
from decimal import Decimal
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

import grpc
import grpc.aio

from laurel import v1
from laurel._attempts import Attempts
from laurel._calls import Attempted, Followed
from laurel._errors import error_of_program
from laurel._events import Batch, BatchedEvent, BatchOutcome, EventContent, QuietOutcome, trigger_of
from laurel._lists import AsyncRows
from laurel._requests import of_account, reversal
from laurel._rpc import ListRpc, Rpc, StreamRpc
from laurel._settings import Hooks, IdType, settings_of

I = TypeVar("I")
O = TypeVar("O")
R = TypeVar("R")
W = TypeVar("W")


class AsyncLaurel:
    """
    A client of Laurel for asyncio. All calls have a deadline, are repeated where the protos allow it, and raise a LaurelError.

    One client serves a whole program. It connects with its first call, and again in another event loop.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Union[str, Callable[[], Union[str, Awaitable[str]]], None] = None,
        *,
        id_type: IdType = "EXTERNAL",
        timeout: float = 5.0,
        retries_max: int = 4,
        hooks: Optional[Hooks] = None,
        root_certificates: Optional[bytes] = None,
    ) -> None:
        """
        `url` and `key`: by default the environment variables LAUREL_URL and LAUREL_KEY; a function `key`, which may be
        a coroutine, is asked before each attempt. `id_type`: the kind of the account ids in calls that do not say it. `timeout`: the deadline of a
        call with all its attempts, in seconds; 0 for none. `retries_max`: the greatest number of repeats of one call.
        `root_certificates`: those of a private authority, in PEM. Raises ValueError without an address or a key.
        """
        self._settings = settings_of(url, key, id_type, timeout, retries_max, hooks, root_certificates)
        self._channel: Any = None
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._stubs: Dict[str, Any] = {}

    async def close(self) -> None:
        """Ends the connection. A later call makes another one."""
        channel, self._channel = self._channel, None
        if channel is not None and self._loop is asyncio.get_running_loop():
            await channel.close()

    async def __aenter__(self) -> AsyncLaurel:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def call(
        self,
        rpc: Rpc[I, O],
        request: I,
        *,
        timeout: Optional[float] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> O:
        """Calls any operation, such as `AccountService.get_account`, with everything that this client adds."""
        attempted = Attempted(self._settings, rpc, request, timeout, headers)
        while True:
            left = attempted.begin()
            try:
                stub = self._stub(rpc)
                metadata = attempted.metadata(await self._key())
                answer: O = attempted.succeed(await stub(attempted.message, timeout=left, metadata=metadata))
                return answer
            except grpc.RpcError as failure:
                wait = attempted.fail(failure)
            await asyncio.sleep(wait)

    async def stream(
        self,
        rpc: StreamRpc[I, O],
        request: I,
        *,
        timeout: Optional[float] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> AsyncIterator[O]:
        """The messages of an operation that answers with a stream. It has no deadline unless `timeout` says so, and is never repeated."""
        followed = Followed(self._settings, rpc, request, headers)
        answers = self._stub(rpc)(followed.message, timeout=timeout, metadata=followed.metadata(await self._key()))
        try:
            async for answer in answers:
                yield answer
        except grpc.RpcError as failure:
            raise followed.failed(failure) from failure
        finally:
            answers.cancel()
        followed.end()

    def list(
        self,
        rpc: ListRpc[I, O, R, W],
        *,
        order_by: Optional[str] = None,
        search: Optional[str] = None,
        page_size: int = 100,
        request: Optional[I] = None,
        timeout: Optional[float] = None,
    ) -> AsyncRows[R, W]:
        """
        The rows of any list, such as `AccountService.list_accounts`; `where` adds conditions.

        `order_by`: a field, and ` desc` for the highest value first. `request`: the other fields of the request, such as
        the id of the list's owner.
        """
        return AsyncRows(self.call, rpc, timeout, request, order_by=order_by, search=search, page_size=page_size)

    async def emit(
        self,
        code: str,
        account: str,
        content: Optional[EventContent] = None,
        *,
        operation_id: Optional[str] = None,
        id_type: Optional[IdType] = None,
        timeout: Optional[float] = None,
    ) -> v1.EmitTriggerResponse:
        """Applies an event. A repeat with the same operation id has no second effect, and gets the first answer."""
        trigger = trigger_of(code, account, content, operation_id, id_type)
        return await self.call(v1.TriggerService.emit_trigger, v1.EmitTriggerRequest(trigger=trigger), timeout=timeout)

    async def emit_quietly(
        self,
        code: str,
        account: str,
        content: Optional[EventContent] = None,
        *,
        operation_id: Optional[str] = None,
        id_type: Optional[IdType] = None,
        timeout: Optional[float] = None,
    ) -> QuietOutcome:
        """Applies an event and never raises. A failure has a `reason`, the code of the error."""
        try:
            result = await self.emit(code, account, content, operation_id=operation_id, id_type=id_type, timeout=timeout)
            return QuietOutcome(True, result=result)
        except Exception as thrown:
            error = error_of_program(thrown)
            return QuietOutcome(False, reason=error.code, error=error)

    async def emit_async(
        self,
        code: str,
        account: str,
        content: Optional[EventContent] = None,
        *,
        operation_id: Optional[str] = None,
        id_type: Optional[IdType] = None,
        timeout: Optional[float] = None,
    ) -> None:
        """Accepts an event, which is stored now and applied later."""
        trigger = trigger_of(code, account, content, operation_id, id_type)
        await self.call(v1.TriggerService.emit_trigger_async, v1.EmitTriggerAsyncRequest(trigger=trigger), timeout=timeout)

    async def emit_batch(self, events: Sequence[BatchedEvent], *, timeout: Optional[float] = None) -> List[BatchOutcome]:
        """
        Applies up to 1,000 events, in order. Each has its own outcome; events whose error is retryable are sent again
        within the deadline. Raises LaurelError if the whole call fails.
        """
        batch = Batch(events)
        attempts = Attempts(self._settings.retries_max, self._settings.timeout if timeout is None else timeout)
        while True:
            left = attempts.begin() or 0
            wait = batch.take(await self.call(v1.TriggerService.emit_trigger_batch, batch.request(), timeout=left), attempts)
            if wait is None:
                return batch.outcomes
            await asyncio.sleep(wait)

    async def reverse(
        self,
        code: str,
        operation_id: str,
        *,
        amount: Union[int, float, Decimal, None] = None,
        reason: str = "",
        reversal_operation_id: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> v1.ReversedTrigger:
        """
        Takes an applied event back, found by its code and operation id.

        `amount`: the part of an AMOUNT event; all that is left by default. `reversal_operation_id`: that of the reversal.
        """
        request = reversal(code, operation_id, amount, reason, reversal_operation_id)
        return (await self.call(v1.TriggerService.reverse_trigger, request, timeout=timeout)).reversed

    async def feed(
        self,
        account: str,
        *,
        where: Optional[v1.GetFeedWhere] = None,
        id_type: Optional[IdType] = None,
        timeout: Optional[float] = None,
    ) -> List[v1.FeedItem]:
        """The missions of an account, those in progress unless `where` asks for others. Creates the account of an unknown external id."""
        request = of_account(v1.GetFeedRequest, account, id_type, where)
        return list_of((await self.call(v1.FeedService.get_feed, request, timeout=timeout)).items)

    async def progress(self, account: str, *, id_type: Optional[IdType] = None, timeout: Optional[float] = None) -> List[v1.Assignment]:
        """The missions that an account has started and not completed."""
        request = of_account(v1.ListMissionProgressRequest, account, id_type)
        return list_of((await self.call(v1.FeedService.list_mission_progress, request, timeout=timeout)).assignments)

    async def completed(self, account: str, *, id_type: Optional[IdType] = None, timeout: Optional[float] = None) -> List[v1.Assignment]:
        """The missions that an account has completed, latest first."""
        request = of_account(v1.ListCompletedMissionsRequest, account, id_type)
        return list_of((await self.call(v1.FeedService.list_completed_missions, request, timeout=timeout)).assignments)

    async def earned_rewards(
        self,
        account: str,
        *,
        where: Optional[v1.ListEarnedRewardsWhere] = None,
        id_type: Optional[IdType] = None,
        timeout: Optional[float] = None,
    ) -> List[v1.EarnedReward]:
        """Everything that an account has earned, latest first."""
        request = of_account(v1.ListEarnedRewardsRequest, account, id_type, where)
        return list_of((await self.call(v1.FeedService.list_earned_rewards, request, timeout=timeout)).rewards)

    async def points(self, account: str, *, id_type: Optional[IdType] = None, timeout: Optional[float] = None) -> v1.PointBalance:
        """The points of an account."""
        request = of_account(v1.GetPointsRequest, account, id_type, field="id")
        return (await self.call(v1.LoyaltyService.get_points, request, timeout=timeout)).points

    async def _key(self) -> str:
        key = self._settings.key
        given = key() if callable(key) else key
        return str(await given) if inspect.isawaitable(given) else str(given)

    def _stub(self, rpc: Any) -> Any:
        loop = asyncio.get_running_loop()
        if self._channel is None or self._loop is not loop:
            self._channel = self._connect()
            self._loop = loop
            self._stubs = {}
        stub = self._stubs.get(rpc.name)
        if stub is None:
            kind = self._channel.unary_stream if isinstance(rpc, StreamRpc) else self._channel.unary_unary
            serialize, parse = rpc.request.SerializeToString, rpc.response.FromString
            stub = self._stubs[rpc.name] = kind(f"/{rpc.name}", request_serializer=serialize, response_deserializer=parse)
        return stub

    def _connect(self) -> Any:
        settings = self._settings
        options: List[Tuple[str, Any]] = settings.channel_options()
        if settings.secure:
            return grpc.aio.secure_channel(settings.target, settings.credentials(), options)
        return grpc.aio.insecure_channel(settings.target, options)


# The class has a method of this name.
list_of = list
