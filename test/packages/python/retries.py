"""Calls of the Python package through the proxy of retries.test.ts, which reads what this prints."""

import asyncio
import itertools
import json
import sys
import threading
from typing import Any, Dict, List

from laurel import AsyncLaurel, Hooks, Laurel, LaurelError, v1

AT_ONCE = 16
# Each connection that the proxy ends takes all calls on it with it.
CLIENTS = 4


def count(total: List[int]) -> Hooks:
    """Hooks that count the attempts of calls."""

    def add(call: Any, error: Any = None) -> None:
        total[0] += call.attempts

    return Hooks(after=add, error=add)


def in_threads(calls: int, accounts: int) -> Dict[str, int]:
    attempts, by_caller, failures = [0], [0], []
    clients = [Laurel(hooks=count(attempts)) for _ in range(CLIENTS)]
    numbers = itertools.count()

    def work(client: Laurel) -> None:
        for index in iter(numbers.__next__, None):
            if index >= calls:
                return
            # Every second event has an id of the package, which an error tells the caller.
            operation_id = f"threads-{index}" if index % 2 == 0 else None
            while True:
                outcome = client.emit_quietly("PURCHASE", f"threads-{index % accounts}", {"amount": 1}, operation_id=operation_id)
                if outcome.ok:
                    break
                assert outcome.error is not None
                if not (outcome.error.retryable and outcome.error.operation_id):
                    failures.append(f"{outcome.reason}: {outcome.error}")
                    return
                operation_id = outcome.error.operation_id
                by_caller[0] += 1

    threads = [threading.Thread(target=work, args=[clients[index % CLIENTS]]) for index in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures
    return {"byCaller": by_caller[0], "attempts": attempts[0]}


async def in_tasks(calls: int, accounts: int) -> Dict[str, int]:
    attempts, by_caller = [0], [0]
    clients = [AsyncLaurel(hooks=count(attempts)) for _ in range(CLIENTS)]
    numbers = iter(range(calls))

    async def work(client: AsyncLaurel) -> None:
        for index in numbers:
            operation_id = f"asyncio-{index}" if index % 2 == 0 else None
            while True:
                outcome = await client.emit_quietly("PURCHASE", f"asyncio-{index % accounts}", {"amount": 1}, operation_id=operation_id)
                if outcome.ok:
                    break
                assert outcome.error is not None
                assert outcome.error.retryable and outcome.error.operation_id, f"{outcome.reason}: {outcome.error}"
                operation_id = outcome.error.operation_id
                by_caller[0] += 1

    await asyncio.gather(*(work(clients[index % CLIENTS]) for index in range(AT_ONCE)))
    for client in clients:
        await client.close()
    return {"byCaller": by_caller[0], "attempts": attempts[0]}


def one(account: str) -> Dict[str, int]:
    attempts = [0]
    Laurel(hooks=count(attempts)).emit("PURCHASE", account, {"amount": 3})
    return {"attempts": attempts[0]}


def never(external_id: str) -> Dict[str, Any]:
    client = Laurel()
    try:
        client.call(v1.AccountService.create_account, v1.CreateAccountRequest(external_id=external_id))
    except LaurelError as error:
        # It had been created by the call whose answer was lost.
        found = client.call(v1.AccountService.get_account, v1.GetAccountRequest(id=external_id))
        return {"code": error.code, "attempts": error.attempts, "exists": found.account.external_id == external_id}
    return {}


def read() -> Dict[str, int]:
    attempts = [0]
    next(iter(Laurel(hooks=count(attempts)).list(v1.AccountService.list_accounts, page_size=1)))
    return {"attempts": attempts[0]}


def batch() -> Dict[str, Any]:
    outcomes = Laurel().emit_batch([{"code": "PURCHASE", "account": f"batch-{name}", "amount": 2} for name in "abc"])
    return {"progress": [each.result and each.result.progressed_missions[0].progress for each in outcomes]}


def main(kind: str, *arguments: str) -> Any:
    if kind == "threads":
        return in_threads(*map(int, arguments))
    if kind == "asyncio":
        return asyncio.run(in_tasks(*map(int, arguments)))
    return {"one": one, "never": never, "read": read, "batch": batch}[kind](*arguments)  # type: ignore[operator]


print(json.dumps(main(*sys.argv[1:])))
