"""Fixtures for tests against a real service of Laurel. pytest loads them, because the package names them as a plugin."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator

import pytest

# pytest loads this file in every run, so it imports the rest of the package only when a test asks for it.
if TYPE_CHECKING:
    from laurel import AsyncLaurel, Laurel

# A service with an embedded database is ready after about ten seconds, on a busy machine after a minute. In seconds.
_START_MAX = 120.0


@dataclass(frozen=True)
class LaurelService:
    """A service, and a client of Laurel in it that belongs to this run of pytest."""

    url: str
    key: str = field(repr=False)
    """An API key of the client."""
    token: str = field(repr=False)
    """An access token of its administrator."""

    def client(self, **settings: Any) -> Laurel:
        """A client of the package with the API key; close it after the test."""
        from laurel import Laurel

        return Laurel(self.url, self.key, **settings)

    def async_client(self, **settings: Any) -> AsyncLaurel:
        """The same for asyncio."""
        from laurel import AsyncLaurel

        return AsyncLaurel(self.url, self.key, **settings)


@pytest.fixture(scope="session")
def laurel_service() -> Iterator[LaurelService]:
    """The service of LAUREL_TEST_URL with a new client of Laurel, or one that LAUREL_TEST_COMMAND starts, with the client of its demo."""
    url, token = os.environ.get("LAUREL_TEST_URL"), os.environ.get("LAUREL_TEST_TOKEN")
    command = os.environ.get("LAUREL_TEST_COMMAND")
    if url and token:
        yield _new_client(url, token)
    elif command:
        yield from _started(command)
    else:
        pytest.fail(
            "Set LAUREL_TEST_URL and LAUREL_TEST_TOKEN, an access token of a SERVICE_ADMIN, or LAUREL_TEST_COMMAND, which starts a service.",
            pytrace=False,
        )


@pytest.fixture
def laurel(laurel_service: LaurelService) -> Iterator[Laurel]:
    """A client of the package with an API key."""
    with laurel_service.client() as client:
        yield client


@pytest.fixture
def laurel_admin(laurel_service: LaurelService) -> Iterator[Laurel]:
    """A client of the package with an administrator's token, for the operations of `laurel.admin`."""
    from laurel import Laurel

    with Laurel(laurel_service.url, laurel_service.token) as client:
        yield client


def _new_client(url: str, token: str) -> LaurelService:
    from laurel import Laurel, admin

    with Laurel(url, token) as operator:
        created = operator.call(admin.ClientAdminService.create_client, admin.CreateClientRequest(name="pytest"))
        headers = {"laurel-client-id": created.client.id}

        def secret(kind: admin.Credential.Kind, role: str) -> str:
            request = admin.CreateCredentialRequest(kind=kind, name="pytest", role=role)
            return operator.call(admin.CredentialAdminService.create_credential, request, headers=headers).secret

        key = secret(admin.Credential.API_KEY, "ROLE_UNSPECIFIED")
        return LaurelService(url, key, secret(admin.Credential.ACCESS_TOKEN, "CLIENT_ADMIN"))


def _started(command: str) -> Iterator[LaurelService]:
    folder = Path(tempfile.mkdtemp(prefix="laurel-pytest-"))
    log = folder / "service.log"
    settings = {"PORT": str(_free_port()), "HOST": "127.0.0.1", "LAUREL_DATA": str(folder / "data"), "LAUREL_DEMO": "true"}
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    with log.open("wb") as output:
        # A group of its own, because a command such as npm starts the service as a child.
        process = subprocess.Popen(
            shlex.split(command), env={**environment, **settings}, stdout=output, stderr=output, start_new_session=True
        )
    try:
        demo = _demo_of(process, folder / "data" / "demo.json", log)
        yield LaurelService(demo["baseUrl"], demo["apiKey"], demo["accessToken"])
    finally:
        _end(process)
        shutil.rmtree(folder, ignore_errors=True)


def _demo_of(process: subprocess.Popen[bytes], file: Path, log: Path) -> Any:
    """The addresses and keys of the demo, which a service writes when it is ready."""
    ends_at = time.monotonic() + _START_MAX
    while not file.exists():
        if process.poll() is not None or time.monotonic() > ends_at:
            pytest.fail(f"LAUREL_TEST_COMMAND did not start a service:\n{log.read_text(errors='replace')[-4000:]}", pytrace=False)
        time.sleep(0.05)
    return json.loads(file.read_text())


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a service as an operator does, so that its database is closed."""
    if process.poll() is None:
        os.killpg(process.pid, 15)
    try:
        process.wait(timeout=30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
