"""The messages and services of `laurel.admin.v1`, for operators."""

from laurel._gen.admin import *  # noqa: F403
