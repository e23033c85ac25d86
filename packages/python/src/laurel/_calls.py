"""One call with everything that the package adds, apart from the waiting: the same for threads and for asyncio."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional

import laurel._gen.errors  # noqa: F401  Its classes are those of the codes.
from laurel._attempts import Attempts
from laurel._complete import complete
from laurel._errors import LaurelError, error_of, error_of_program
from laurel._messages import forget_unknown_enums
from laurel._settings import Call, Settings


class Attempted:
    """A call and its attempts. The request of the caller stays as it is."""

    def __init__(self, settings: Settings, rpc: Any, request: Any, timeout: Optional[float], headers: Optional[Mapping[str, str]]) -> None:
        if not isinstance(request, rpc.request):
            raise error_of_program(TypeError(f"{rpc.name} takes a {rpc.request.__name__}, not {type(request).__name__}."))
        self._hooks = settings.hooks
        self.message = rpc.request()
        self.message.CopyFrom(request)
        is_safe = rpc.repeat == "SAFE"
        completed = complete(self.message, settings.id_type, not is_safe)
        self._may_repeat = is_safe or (rpc.repeat == "WITH_OPERATION_ID" and completed.has_operation_ids)
        self._attempts = Attempts(settings.retries_max, settings.timeout if timeout is None else timeout)
        self.call = Call(rpc.name, {name.lower(): value for name, value in (headers or {}).items()}, completed.operation_id)
        _run(self._hooks.before, self.call)

    def begin(self) -> Optional[float]:
        """Begins an attempt, and returns the seconds that are left for it."""
        left = self._attempts.begin()
        self.call.attempts = self._attempts.count
        return left

    def metadata(self, key: str) -> list[tuple[str, str]]:
        """The headers of an attempt."""
        return [*self.call.headers.items(), ("authorization", f"Bearer {key}")]

    def succeed(self, answer: Any) -> Any:
        """Ends the call with its answer."""
        forget_unknown_enums(answer)
        _run(self._hooks.after, self.call)
        return answer

    def fail(self, failure: Any) -> float:
        """The seconds until the next attempt. Raises the LaurelError of the failure if there is none."""
        error = error_of(failure, self._attempts.count, self.call.operation_id)
        # The protos' option `repeat`: SAFE, or WITH_OPERATION_ID; NEVER has neither.
        wait = self._attempts.wait_after(error) if self._may_repeat else None
        if wait is None:
            _run(self._hooks.error, self.call, error)
            raise error from failure
        return wait


class Followed:
    """A stream of answers: it has the deadline of its caller alone, and is never repeated, because its messages may have been used."""

    def __init__(self, settings: Settings, rpc: Any, request: Any, headers: Optional[Mapping[str, str]]) -> None:
        self._hooks = settings.hooks
        self.message = rpc.request()
        self.message.CopyFrom(request)
        complete(self.message, settings.id_type, False)
        self.call = Call(rpc.name, {name.lower(): value for name, value in (headers or {}).items()}, None, 1)
        _run(self._hooks.before, self.call)

    def metadata(self, key: str) -> list[tuple[str, str]]:
        """The headers of the call."""
        return [*self.call.headers.items(), ("authorization", f"Bearer {key}")]

    def end(self) -> None:
        """Ends the stream."""
        _run(self._hooks.after, self.call)

    def failed(self, failure: Any) -> LaurelError:
        """The error of a stream."""
        error = error_of(failure, 1, None)
        _run(self._hooks.error, self.call, error)
        return error


def _run(hook: Optional[Callable[..., object]], *arguments: Any) -> None:
    if hook is None:
        return
    try:
        hook(*arguments)
    except Exception:
        # An observer must not fail the call.
        pass
