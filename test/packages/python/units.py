"""Parts of the Python package that need no service. calls.test.ts runs it with pytest."""

import asyncio
import inspect
import os
import subprocess
import sys
from concurrent import futures
from pathlib import Path
from typing import Any, Callable, Iterator

import grpc
import pytest

import laurel as package
from laurel import AsyncLaurel, Hooks, Laurel, LaurelError, v1


class Fake:
    """A server of gRPC that answers with given bytes, as a later version of the service would."""

    def __init__(self, answer: Callable[[str, bytes, Any], bytes]) -> None:
        self.server = grpc.server(futures.ThreadPoolExecutor(4))
        self.calls = 0

        class Handler(grpc.GenericRpcHandler):
            def service(inner, details: Any) -> Any:
                def handle(request: bytes, context: Any) -> bytes:
                    self.calls += 1
                    return answer(details.method, request, context)

                return grpc.unary_unary_rpc_method_handler(handle)

        self.server.add_generic_rpc_handlers((Handler(),))
        self.url = f"http://127.0.0.1:{self.server.add_insecure_port('127.0.0.1:0')}"
        self.server.start()


@pytest.fixture
def fake() -> Iterator[Callable[..., Fake]]:
    made = []

    def make(answer: Callable[[str, bytes, Any], bytes]) -> Fake:
        made.append(Fake(answer))
        return made[-1]

    yield make
    for each in made:
        each.server.stop(None)


def details_of(reason: str) -> bytes:
    from laurel._errors import _ErrorInfo, _Status

    status = _Status(code=5, message="gone")
    detail = status.details.add()
    detail.type_url = "type.googleapis.com/google.rpc.ErrorInfo"
    detail.value = _ErrorInfo(reason=reason, domain="laurel").SerializeToString()
    return bytes(status.SerializeToString())


def test_an_enum_value_and_a_field_that_are_newer_than_the_package_are_no_fault(fake: Any) -> None:
    def answer(method: str, request: bytes, context: Any) -> bytes:
        # Status 99, and a field of number 1999.
        item = v1.FeedItem(name="newer").SerializeToString()
        number = v1.FeedItem.DESCRIPTOR.fields_by_name["status"].number
        newer = item + varint(number << 3) + varint(99) + varint(1999 << 3) + varint(1)
        active = v1.FeedItem(name="known", status=v1.Assignment.ACTIVE).SerializeToString()
        field = varint((v1.GetFeedResponse.DESCRIPTOR.fields_by_name["items"].number << 3) | 2)
        return field + varint(len(newer)) + newer + field + varint(len(active)) + active

    items = Laurel(fake(answer).url, "key").feed("ada")
    assert [(each.name, each.status) for each in items] == [("newer", 0), ("known", v1.Assignment.ACTIVE)]
    assert v1.Assignment.Status.Name(items[0].status) == "STATUS_UNSPECIFIED"


def varint(number: int) -> bytes:
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def test_a_code_that_is_newer_than_the_package_is_a_plain_error(fake: Any) -> None:
    def answer(method: str, request: bytes, context: Any) -> bytes:
        context.set_trailing_metadata((("grpc-status-details-bin", details_of("PLANET_NOT_FOUND")),))
        context.abort(grpc.StatusCode.NOT_FOUND, "gone")
        return b""

    with pytest.raises(LaurelError) as caught:
        Laurel(fake(answer).url, "key").points("ada")
    assert type(caught.value) is LaurelError
    assert (caught.value.code, caught.value.kind, caught.value.status) == ("PLANET_NOT_FOUND", "NOT_FOUND", 404)


def test_a_call_waits_as_long_as_the_service_asks_and_not_if_its_deadline_would_pass(fake: Any) -> None:
    import time

    def answer(method: str, request: bytes, context: Any) -> bytes:
        if server.calls == 1:
            context.set_trailing_metadata((("retry-after", "0.4"),))
            context.abort(grpc.StatusCode.UNAVAILABLE, "busy")
        return b""

    server = fake(answer)
    begun = time.monotonic()
    Laurel(server.url, "key").points("ada")
    assert time.monotonic() - begun >= 0.4
    server.calls = 0
    with pytest.raises(LaurelError) as caught:
        Laurel(server.url, "key", timeout=0.3).points("ada")
    assert (caught.value.code, caught.value.retry_after, caught.value.attempts) == ("UNAVAILABLE", 0.4, 1)


def test_the_wait_may_be_a_date() -> None:
    from datetime import datetime, timedelta, timezone
    from email.utils import format_datetime

    from laurel._errors import _retry_after

    soon = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=30))
    wait = _retry_after([("retry-after", soon)])
    assert wait is not None and 28 < wait <= 30
    assert _retry_after([("retry-after", "later")]) is None


def test_a_call_is_repeated_with_the_operation_id_that_was_made_once(fake: Any) -> None:
    seen = []

    def answer(method: str, request: bytes, context: Any) -> bytes:
        seen.append(v1.EmitTriggerRequest.FromString(request).trigger)
        if len(seen) < 4:
            context.abort(grpc.StatusCode.UNAVAILABLE, "busy")
        return b""

    attempts = []
    hooks = Hooks(after=lambda call: attempts.append((call.attempts, call.operation_id)))
    Laurel(fake(answer).url, "key", hooks=hooks).emit("LOGIN", "ada")
    assert len({each.operation_id for each in seen}) == 1 and len(seen[0].operation_id) == 32
    assert {each.id_type for each in seen} == {v1.Account.EXTERNAL}
    assert attempts == [(4, seen[0].operation_id)]


def test_the_repeats_end_after_the_greatest_number_and_a_call_marked_never_has_none(fake: Any) -> None:
    def answer(method: str, request: bytes, context: Any) -> bytes:
        context.abort(grpc.StatusCode.UNAVAILABLE, "busy")
        return b""

    server = fake(answer)
    client = Laurel(server.url, "key", retries_max=2)
    with pytest.raises(LaurelError) as caught:
        client.points("ada")
    assert (caught.value.attempts, server.calls, caught.value.retryable) == (3, 3, True)
    server.calls = 0
    with pytest.raises(LaurelError) as caught:
        client.call(v1.AccountService.create_account, v1.CreateAccountRequest(external_id="ada"))
    assert (caught.value.attempts, server.calls) == (1, 1)


def test_a_call_that_is_not_answered_ends_at_its_deadline(fake: Any) -> None:
    import threading

    ended = threading.Event()

    def answer(method: str, request: bytes, context: Any) -> bytes:
        ended.wait(20)
        return b""

    with pytest.raises(LaurelError) as caught:
        Laurel(fake(answer).url, "key", timeout=0.1, retries_max=0).points("ada")
    ended.set()
    assert (caught.value.code, caught.value.retryable) == ("DEADLINE_EXCEEDED", True)


def test_a_cancelled_task_ends_its_call(fake: Any) -> None:
    import threading

    ended = threading.Event()

    def answer(method: str, request: bytes, context: Any) -> bytes:
        ended.wait(20)
        return b""

    async def work(url: str) -> None:
        async with AsyncLaurel(url, "key") as client:
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.points("ada"), 0.1)

    server = fake(answer)
    asyncio.run(work(server.url))
    ended.set()
    assert server.calls == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"key": "x"}, "LAUREL_URL"),
        ({"url": "http://127.0.0.1"}, "LAUREL_KEY"),
        ({"url": "127.0.0.1:8080", "key": "x"}, "http://"),
        ({"url": "https://shop.example/laurel", "key": "x"}, "no path"),
    ],
)
def test_a_client_with_a_wrong_address_or_without_a_key_is_refused_when_it_is_made(
    arguments: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LAUREL_URL", raising=False)
    monkeypatch.delenv("LAUREL_KEY", raising=False)
    for kind in (Laurel, AsyncLaurel):
        with pytest.raises(ValueError, match=message):
            kind(**arguments)


def test_the_address_tells_port_and_tls() -> None:
    from laurel._settings import settings_of

    def target(url: str) -> Any:
        made = settings_of(url, "x", "EXTERNAL", 5, 4, None, None)
        return made.target, made.secure

    assert target("http://127.0.0.1:8080/") == ("127.0.0.1:8080", False)
    assert target("https://laurel.example") == ("laurel.example:443", True)
    assert target("http://[::1]") == ("[::1]:80", False)


def test_every_name_of_the_package_is_there_and_webhooks_need_no_grpc() -> None:
    program = "import sys, laurel; laurel.verify_webhook; assert 'grpc' not in sys.modules; from laurel import *; print(Laurel, LaurelError)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in package.__all__:
        assert getattr(package, name) is not None
    for missing in ("Nothing", "NothingError", "CLASSES"):
        with pytest.raises(AttributeError, match=missing):
            getattr(package, missing)


def test_both_clients_have_the_same_methods() -> None:
    names = {name for name in vars(Laurel) if not name.startswith("_")}
    assert names == {name for name in vars(AsyncLaurel) if not name.startswith("_")}
    for name in names:
        one, other = getattr(Laurel, name), getattr(AsyncLaurel, name)
        assert list(inspect.signature(one).parameters.values()) == list(inspect.signature(other).parameters.values()), name
        assert inspect.getdoc(one) == inspect.getdoc(other), name


def test_every_code_has_a_class_of_its_name() -> None:
    from laurel._errors import CLASSES

    assert CLASSES["ACCOUNT_NOT_FOUND"] is package.AccountNotFoundError
    assert package.AccountNotFoundError.CODE == "ACCOUNT_NOT_FOUND"
    assert len(CLASSES) > 100
    assert all(issubclass(each, LaurelError) and each.CODE == code for code, each in CLASSES.items())


def test_code_that_was_generated_from_the_same_protos_may_be_in_the_same_program() -> None:
    from google.protobuf import descriptor_pb2, descriptor_pool

    other = descriptor_pb2.FileDescriptorProto(name="laurel/v1/account.proto", package="laurel.v1", syntax="proto3")
    other.message_type.add(name="Account").field.add(name="other", number=1, type=9, label=1)
    descriptor_pool.Default().AddSerializedFile(other.SerializeToString())
    assert v1.Account(external_id="ada").external_id == "ada"


def test_pytest_without_the_fixtures_does_not_import_the_package(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text("def test_other() -> None:\n    import sys\n    assert 'grpc' not in sys.modules\n")
    environment = without("PYTEST")
    done = pytest_in(tmp_path, environment)
    assert done.returncode == 0, done.stdout


def test_the_fixtures_say_which_variables_are_missing(tmp_path: Path) -> None:
    (tmp_path / "test_shop.py").write_text("def test_shop(laurel) -> None:\n    assert laurel\n")
    environment = without("PYTEST", "LAUREL")
    done = pytest_in(tmp_path, environment)
    assert done.returncode == 1 and "LAUREL_TEST_URL" in done.stdout


def without(*prefixes: str) -> Any:
    """The environment without some variables."""
    return {name: value for name, value in os.environ.items() if not name.startswith(prefixes)}


def pytest_in(folder: Path, environment: Any) -> "subprocess.CompletedProcess[str]":
    """Runs the tests of a folder."""
    return subprocess.run([sys.executable, "-m", "pytest", "-q", str(folder)], env=environment, capture_output=True, text=True)
