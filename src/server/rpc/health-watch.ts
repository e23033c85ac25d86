import { HealthCheckResponse_ServingStatus as Status } from '../../../gen/grpc/health/v1/health_pb.ts';

/** Milliseconds between two checks of the service's health. */
const REFRESH_MS = 1_000;

type Answer = { readonly status: Status };

/**
 * Sends the service's health to watchers: at the start, and after each change. One check serves all watchers; without watchers there is
 * none. A watcher is a function in a set.
 */
export type HealthWatch = {
  /** The health as a stream. It ends when the caller disconnects, or after the last health at the end of the process. */
  serving(gone: AbortSignal): AsyncIterable<Answer>;
  /** The stream for an unknown service: it says so, and stays open in the same way. */
  unknown(gone: AbortSignal): AsyncIterable<Answer>;
};

/** @param check returns the current health */
export function createHealthWatch(check: () => Promise<Status>, shutdown: AbortSignal): HealthWatch {
  const asleep = new Set<() => void>();
  let watchers = 0;
  /** The last checked health; undefined before the first check for the present watchers. */
  let current: Status | undefined;
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> | undefined;

  function wakeAll(): void {
    for (const wake of asleep) wake();
  }
  shutdown.addEventListener('abort', wakeAll, { once: true });

  function checkAgain(): void {
    checking ??= check().then((now) => {
      checking = undefined;
      if (watchers === 0) return;
      timer = setTimeout(checkAgain, REFRESH_MS);
      if (now === current) return;
      current = now;
      wakeAll();
    });
  }

  function enter(): void {
    watchers += 1;
    if (watchers === 1) checkAgain();
  }

  function leave(): void {
    watchers -= 1;
    if (watchers > 0) return;
    clearTimeout(timer);
    current = undefined;
  }

  /** Resolves at the next change, or when the caller has disconnected. */
  function change(gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        asleep.delete(wake);
        gone.removeEventListener('abort', wake);
        resolve();
      };
      asleep.add(wake);
      gone.addEventListener('abort', wake);
    });
  }

  return {
    async *serving(gone) {
      enter();
      try {
        for (let sent: Status | undefined; !gone.aborted;) {
          const now = shutdown.aborted ? await check() : current;
          if (now !== undefined && now !== sent) yield { status: now };
          sent = now;
          if (shutdown.aborted) return;
          if (sent === current && !gone.aborted) await change(gone);
        }
      } finally {
        leave();
      }
    },
    async *unknown(gone) {
      yield { status: Status.SERVICE_UNKNOWN };
      while (!gone.aborted && !shutdown.aborted) await change(gone);
    },
  };
}
