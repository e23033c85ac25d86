"""The Python package against a running service: LAUREL_URL, LAUREL_KEY, and SERVICE_TOKEN of an operator. calls.test.ts runs it with pytest."""

import asyncio
import os
import pickle
import subprocess
import sys
import threading
import time
import uuid
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any, Iterator, List

import pytest

import laurel as package
from laurel import AsyncLaurel, Hooks, Laurel, LaurelError, admin, v1

AGE = os.environ["AGE"]


def name_of(name: str) -> str:
    """The name of an account of this run: the service is the same for all versions of protobuf."""
    return f"{name}-{AGE}"


@pytest.fixture(scope="module")
def client() -> Iterator[Laurel]:
    with Laurel() as made:
        yield made


def progress_of(client: Laurel, account: str) -> float:
    items = client.feed(account)
    return items[0].progress if items else 0


# Events.


def test_an_event_with_plain_values_progresses_and_its_repeat_has_no_second_effect(client: Laurel) -> None:
    send = lambda: client.emit("PURCHASE", name_of("ada"), {"amount": 12.5}, operation_id=name_of("order-1"))  # noqa: E731
    first = send()
    assert [(each.name, each.progress, each.target) for each in first.progressed_missions] == [("Spend", 12.5, 100)]
    assert send() == first


def test_amounts_are_integers_floats_or_decimals(client: Laurel) -> None:
    for amount in (1, 2.5, Decimal("0.25")):
        client.emit("PURCHASE", name_of("amounts"), {"amount": amount})
    assert progress_of(client, name_of("amounts")) == 3.75


def test_attributes_and_the_time_of_an_event_arrive(client: Laurel) -> None:
    minute_ago = datetime.now(timezone.utc) - timedelta(minutes=1)
    content: Any = {"attributes": {"shop": "north", "nothing": None}, "occurred_at": minute_ago}
    visit = name_of("visit")
    client.emit("VISIT", visit, content, operation_id=visit)
    with pytest.raises(package.BadRequestError):
        client.emit("VISIT", visit, {"attributes": {"shop": 5}})
    with pytest.raises(package.OperationIdReusedError):
        client.emit("VISIT", visit, {**content, "attributes": {"shop": "south"}}, operation_id=visit)


def test_an_accepted_event_is_applied_later_and_a_reversal_takes_a_part_back(client: Laurel) -> None:
    later = name_of("later")
    client.emit_async("PURCHASE", later, {"amount": 7}, operation_id=later)
    ends_at = time.monotonic() + 30
    while progress_of(client, later) != 7:
        assert time.monotonic() < ends_at
    part = client.reverse("PURCHASE", later, amount=2, reason="returned")
    assert (part.amount, part.amount_left) == (2, 5)
    rest = client.reverse("PURCHASE", later, reversal_operation_id=name_of("later-back"))
    assert (rest.amount, rest.amount_left) == (5, 0)


def test_each_item_of_a_batch_has_its_result_or_an_error_of_the_class_of_its_code(client: Laurel) -> None:
    batch = name_of("batch")
    outcomes = client.emit_batch(
        [
            {"code": "PURCHASE", "account": batch, "amount": 1},
            {"code": "NO_SUCH_CODE", "account": batch, "operation_id": f"{batch}-2"},
            {"code": "PURCHASE", "account": str(uuid.uuid4()), "id_type": "INTERNAL", "amount": 1},
            {"code": "PURCHASE", "account": batch, "amount": 2},
        ]
    )
    progress = [each.result.progressed_missions[0].progress if each.result else None for each in outcomes]
    assert progress == [1, None, None, 3]
    error = outcomes[1].error
    assert isinstance(error, package.EventDefinitionNotFoundError)
    assert (error.status, error.retryable, error.operation_id) == (404, False, f"{batch}-2")
    assert isinstance(outcomes[2].error, package.AccountNotFoundError)


def test_emit_quietly_never_raises_whatever_fails(client: Laurel) -> None:
    def broken() -> str:
        raise RuntimeError("no key today")

    anybody: Any = None
    loop: Any = {"attributes": {"loop": object()}}
    outcomes = [
        client.emit_quietly("PURCHASE", name_of("quiet"), {"amount": 1}),
        client.emit_quietly("NO_SUCH_CODE", name_of("quiet")),
        Laurel("http://127.0.0.1:1", retries_max=0).emit_quietly("PURCHASE", "quiet", {"amount": 1}),
        Laurel(key=broken).emit_quietly("PURCHASE", "quiet", {"amount": 1}),
        client.emit_quietly("PURCHASE", "quiet", loop),
        client.emit_quietly("PURCHASE", anybody),
        client.emit_quietly("PURCHASE", "quiet", {"category": "books"}),  # type: ignore[typeddict-unknown-key]
        client.emit_quietly("PURCHASE", "quiet", {"amount": 1, "occurred_at": datetime.now()}),
    ]
    assert [each.reason for each in outcomes] == [
        None,
        "EVENT_DEFINITION_NOT_FOUND",
        "UNAVAILABLE",
        "UNKNOWN",
        "BAD_REQUEST",
        "BAD_REQUEST",
        "BAD_REQUEST",
        "BAD_REQUEST",
    ]
    assert "attributes are in 'attributes'" in str(outcomes[6].error)
    assert "time zone" in str(outcomes[7].error)


# Errors.


def test_an_error_has_the_parts_that_the_service_answers(client: Laurel) -> None:
    with pytest.raises(package.BadRequestError) as caught:
        client.call(v1.AccountService.list_accounts, v1.ListAccountsRequest(page=0, limit=5))
    error = caught.value
    assert (error.code, error.kind, error.status) == ("BAD_REQUEST", "INVALID", 400)
    assert (error.retryable, error.attempts) == (False, 1)
    assert error.trace_id is not None and len(error.trace_id) == 32
    assert [(each.field, each.rule) for each in error.details] == [("page", "int32.gte")]
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is package.BadRequestError
    assert (again.details, again.trace_id, str(again)) == (error.details, error.trace_id, str(error))


def test_two_classes_of_one_status_are_told_apart(client: Laurel) -> None:
    once = v1.CreateAccountRequest(external_id=name_of("once"))
    client.call(v1.AccountService.create_account, once)
    with pytest.raises(package.AccountAlreadyExistsError) as caught:
        client.call(v1.AccountService.create_account, once)
    assert (caught.value.status, caught.value.kind) == (409, "ALREADY_EXISTS")
    with pytest.raises(package.UnauthenticatedError):
        Laurel(key="lrl_key_none").points("ada")


def test_a_request_of_another_operation_is_refused_before_it_is_sent(client: Laurel) -> None:
    wrong: Any = v1.GetPointsRequest(id="ada")
    with pytest.raises(package.BadRequestError, match="GetAccountRequest"):
        client.call(v1.AccountService.get_account, wrong)


# Ids of accounts.


def test_ids_are_external_unless_client_or_call_say_otherwise(client: Laurel) -> None:
    ids = name_of("ids")
    account = client.call(v1.AccountService.resolve_account, v1.ResolveAccountRequest(external_id=ids)).account
    assert client.points(ids).account_id == account.id
    assert client.points(account.id, id_type="INTERNAL").account_id == account.id
    with Laurel(id_type="INTERNAL") as internal:
        assert internal.points(account.id).account_id == account.id
        assert internal.points(ids, id_type="EXTERNAL").account_id == account.id
        request = v1.GetAccountRequest(id=account.id)
        assert internal.call(v1.AccountService.get_account, request).account.external_id == ids
        # The request of the caller stays as it is.
        assert request.id_type == 0


# Lists.


def test_a_list_asks_for_page_after_page_as_far_as_it_is_read() -> None:
    calls: List[str] = []
    paged = name_of("paged")
    with Laurel(hooks=Hooks(before=lambda call: calls.append(call.name))) as counting:
        for index in range(7):
            counting.emit("LOGIN", f"{paged}-{index}")
        calls.clear()
        accounts = counting.list(v1.AccountService.list_accounts, order_by="external_id desc", page_size=3)
        accounts = accounts.where({"external_id": paged})
        assert [each.external_id for each in accounts] == [f"{paged}-{index}" for index in (6, 5, 4, 3, 2, 1, 0)]
        assert len(calls) == 3
        next(iter(accounts))
        assert len(calls) == 4


def test_conditions_whole_texts_absence_any_of_them_moments(client: Laurel) -> None:
    named, other = name_of("named"), name_of("other")
    client.call(v1.AccountService.create_account, v1.CreateAccountRequest(external_id=other))
    client.call(v1.AccountService.create_account, v1.CreateAccountRequest(external_id=named, name=f"Grace {AGE}"))
    accounts = client.list(v1.AccountService.list_accounts)
    names = lambda rows: [each.external_id for each in rows]  # noqa: E731
    assert names(accounts.where({"external_id": [named, other]})) == [other, named]
    assert names(accounts.where({"external_id": [named, other], "name": None})) == [other]
    assert names(accounts.where({"external_id": [other], "name": f"grace {AGE}"}, match_any=True)) == [other, named]
    [row] = accounts.where({"name": f"Grace {AGE}"})
    created_at = row.created_at.ToDatetime(timezone.utc)
    assert named in names(accounts.where({"created_at": created_at.replace(microsecond=created_at.microsecond // 1000 * 1000)}))


def test_the_feed_is_filtered_by_its_fields(client: Laurel) -> None:
    filtered = name_of("filtered")
    client.emit("PURCHASE", filtered, {"amount": 1})
    assert client.feed(filtered, where={"status": "COMPLETED"}) == []
    [item] = client.feed(filtered, where={"status": ["ACTIVE", "COMPLETED"], "type": "MISSION"})
    assert item.status == v1.Assignment.ACTIVE
    assert len(client.progress(filtered)) == 1
    assert client.completed(filtered) == []
    assert client.earned_rewards(filtered, where={"reward_type": "POINTS"}) == []


def test_the_fields_of_the_types_are_those_that_the_service_names() -> None:
    compared = 0
    with Laurel(key=os.environ["SERVICE_TOKEN"]) as operator:
        for rpc in [*lists_of(v1), *lists_of(admin)]:
            fields = fields_of_stub(rpc)
            if fields is None:
                continue
            known = [each.name for each in rpc.request.DESCRIPTOR.fields if each.name.endswith("_id") or each.name == "id"]
            request = rpc.request(**{name: str(uuid.uuid4()) for name in known})
            with pytest.raises(LaurelError) as caught:
                list(operator.list(rpc, request=request).where({"no_such_field": True}))
            message = caught.value.message
            # A list of one thing, here of none: it names no fields.
            if message.startswith("There is no "):
                continue
            allowed = message[message.index("Allowed: ") + 9 :].rstrip(".").split(", ")
            assert sorted(fields) == sorted(each for each in allowed if not each.startswith("attributes.")), rpc.name
            compared += 1
    assert compared > 20


def lists_of(module: Any) -> Iterator[Any]:
    from laurel._rpc import ListRpc

    for service in vars(module).values():
        if isinstance(service, type) and service.__name__.endswith("Service"):
            yield from (each for each in vars(service).values() if isinstance(each, ListRpc))


def fields_of_stub(rpc: Any) -> Any:
    """The JSON names of the fields in the stub of a list; None if it takes no conditions."""
    import re
    from pathlib import Path

    name = f"{rpc.request.__name__[: -len('Request')]}Where"
    folder = Path(package.__file__).parent / "_gen"
    stubs = "".join((folder / each).read_text() for each in ("v1.pyi", "admin.pyi"))
    found = re.search(rf'^class {name}\(TypedDict, total=False\):\n    """.*?"""\n((?:    .*\n)*)', stubs, re.M)
    if found is None:
        return None
    fields = re.findall(r"^    (\w+):", found.group(1), re.M)
    return [re.sub(r"_([a-z])", lambda part: part.group(1).upper(), each) for each in fields]


# Hooks.


def test_hooks_see_each_call_and_their_errors_do_not_fail_it() -> None:
    seen: List[Any] = []

    def before(call: Any) -> None:
        call.headers["traceparent"] = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        seen.append(("before", call.name, call.operation_id))
        raise RuntimeError("an observer fails")

    hooks = Hooks(
        before=before,
        after=lambda call: seen.append(("after", call.attempts)),
        error=lambda call, error: seen.append(("error", error.code, error.trace_id)),
    )
    with Laurel(hooks=hooks) as observed:
        observed.emit("LOGIN", name_of("hooked"), operation_id=name_of("hooked"))
        with pytest.raises(LaurelError):
            observed.emit("NO_SUCH_CODE", name_of("hooked"), operation_id=name_of("unhooked"))
    emit = "laurel.v1.TriggerService/EmitTrigger"
    assert seen == [
        ("before", emit, name_of("hooked")),
        ("after", 1),
        ("before", emit, name_of("unhooked")),
        ("error", "EVENT_DEFINITION_NOT_FOUND", "0af7651916cd43dd8448eb211c80319c"),
    ]


# Threads, processes and event loops.


def test_one_client_serves_many_threads(client: Laurel) -> None:
    account = name_of("threads")
    errors: List[BaseException] = []

    def work() -> None:
        try:
            for _ in range(5):
                client.emit("PURCHASE", account, {"amount": 1})
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert progress_of(client, account) == 40


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_client_of_a_module_serves_processes_that_are_forked_before_or_after_its_first_call(when: str) -> None:
    program = """
import os, sys
from laurel import Laurel
laurel = Laurel()
account = os.environ["ACCOUNT"]
if sys.argv[1] == "after":
    laurel.points(account)
children = []
for index in range(3):
    child = os.fork()
    if child == 0:
        os._exit(0 if laurel.emit_quietly("PURCHASE", account, {"amount": 2}).ok else 1)
    children.append(child)
assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
print(laurel.feed(account)[0].progress)
"""
    variables = {**os.environ, "ACCOUNT": name_of(f"forked-{when}")}
    done = subprocess.run([sys.executable, "-c", program, when], env=variables, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("6.0\n", 0), done.stderr


def test_the_client_for_asyncio_does_the_same() -> None:
    account = name_of("asyncio")

    async def key() -> str:
        await asyncio.sleep(0)
        return os.environ["LAUREL_KEY"]

    made = AsyncLaurel(key=key)

    async def work() -> None:
        await asyncio.gather(*(made.emit("PURCHASE", account, {"amount": 1}) for _ in range(20)))
        assert (await made.feed(account))[0].progress == 20
        rows = made.list(v1.AccountService.list_accounts, page_size=1).where({"external_id": [account, name_of("ada")]})
        assert len([row async for row in rows]) == 2
        with pytest.raises(package.EventDefinitionNotFoundError):
            await made.emit("NO_SUCH_CODE", account)
        assert (await made.emit_quietly("NO_SUCH_CODE", account)).reason == "EVENT_DEFINITION_NOT_FOUND"
        outcomes = await made.emit_batch([{"code": "PURCHASE", "account": account, "amount": 2}])
        assert outcomes[0].result is not None
        assert (await made.points(account)).available == 0
        await made.emit_async("LOGIN", account)
        await made.close()

    asyncio.run(work())
    # In another event loop.
    asyncio.run(work_again(made, account))


async def work_again(made: AsyncLaurel, account: str) -> None:
    async with made:
        assert (await made.feed(account))[0].progress == 22


def test_a_stream_is_read_and_its_refusal_is_an_error_of_its_code(client: Laurel) -> None:
    with Laurel(key=os.environ["SERVICE_TOKEN"]) as operator:
        parts = list(operator.stream(admin.ExportAdminService.export_accounts, admin.ExportAccountsRequest()))
    assert len(parts) > 0
    with pytest.raises(package.ForbiddenError):
        list(client.stream(admin.ExportAdminService.export_accounts, admin.ExportAccountsRequest()))
