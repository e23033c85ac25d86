"""Verifies the request in REQUEST: by the function of the package, or by a server of the page. webhooks.test.ts reads what it prints."""

import asyncio
import contextlib
import io
import json
import os
import sys
from typing import Any, Dict, List

from laurel import WebhookVerificationError, verify_webhook


def plain(headers: Dict[str, str], body: bytes, secrets: List[str]) -> Any:
    try:
        return verify_webhook(body, headers, secrets[0] if len(secrets) == 1 else secrets)
    except WebhookVerificationError as error:
        return {"refused": str(error)}


def fastapi(headers: Dict[str, str], body: bytes) -> int:
    """The status that the server of FastAPI answers, asked as a server of ASGI asks it."""
    from fastapi_shop import app

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": "/laurel",
        "raw_path": b"/laurel",
        "query_string": b"",
        "root_path": "",
        "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    status = []

    async def receive() -> Any:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            status.append(message["status"])

    asyncio.run(app(scope, receive, send))
    return status[0]


def django(headers: Dict[str, str], body: bytes) -> int:
    """The status that the view of Django answers, with its middleware against forged requests."""
    import django
    from django.conf import settings
    from django.test import Client
    from django.urls import path

    csrf = "django.middleware.csrf.CsrfViewMiddleware"
    settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], SECRET_KEY="test", MIDDLEWARE=[csrf])
    django.setup()
    from django_shop import laurel_webhook

    globals()["urlpatterns"] = [path("laurel", laurel_webhook)]
    own = {name: value for name, value in headers.items() if name.lower() not in ("host", "content-length", "content-type")}
    client = Client(enforce_csrf_checks=True, headers=own)
    return int(client.post("/laurel", data=body, content_type="application/json").status_code)


request = json.loads(os.environ["REQUEST"])
way, *secrets = sys.argv[1:]
content = request["body"].encode()
if way == "plain":
    print(json.dumps(plain(request["headers"], content, secrets)))
else:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        answered = {"fastapi": fastapi, "django": django}[way](request["headers"], content)
    print(json.dumps({"status": answered, "printed": printed.getvalue()}))
