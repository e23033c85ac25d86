"""The attempts of one call within its deadline."""

from __future__ import annotations

import random
import time
from typing import Optional

from laurel._errors import LaurelError

# The greatest random wait before the first repeat; it doubles with each further one. In seconds.
_FIRST_WAIT = 0.1
_WAIT_MAX = 2.0


class Attempts:
    """Counts attempts. `timeout`: the seconds for all of them together; 0: no deadline."""

    def __init__(self, retries_max: int, timeout: float) -> None:
        self.count = 0
        self._retries_max = retries_max
        self._ends_at = time.monotonic() + timeout if timeout > 0 else None

    def begin(self) -> Optional[float]:
        """Begins an attempt. Returns the seconds that are left for it; None without a deadline."""
        self.count += 1
        return None if self._ends_at is None else max(0.001, self._ends_at - time.monotonic())

    def wait_after(self, error: LaurelError) -> Optional[float]:
        """The seconds until the next attempt; None if the error is not retryable, or neither attempts nor time are left."""
        if not error.retryable or self.count > self._retries_max:
            return None
        jitter = random.random() * min(_FIRST_WAIT * 2.0 ** (self.count - 1), _WAIT_MAX)
        wait = (error.retry_after or 0.0) + jitter
        if self._ends_at is not None and time.monotonic() + wait >= self._ends_at:
            return None
        return wait
