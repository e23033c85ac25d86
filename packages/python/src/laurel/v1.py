"""The messages and services of `laurel.v1`, for apps and integrators."""

from laurel._gen.v1 import *  # noqa: F403
