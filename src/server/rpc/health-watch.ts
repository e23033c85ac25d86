import { HealthCheckResponse_ServingStatus as Status } from '../../../gen/grpc/health/v1/health_pb.ts';

/** Milliseconds between two looks at the service's health. */
const LOOK_EVERY = 1_000;

type Answer = { readonly status: Status };

/**
 * Tells watchers of the service's health: now, and whenever it has changed. It is looked at once for all of them, and not at all
 * while there are none; a watcher is a function in a set.
 */
export type HealthWatch = {
  /** Ends when the caller has gone, or after it has told what the health is when the process ends. */
  serving(gone: AbortSignal): AsyncIterable<Answer>;
  /** For a service that is not known: says so, and waits as long. */
  unknown(gone: AbortSignal): AsyncIterable<Answer>;
};

/** @param look tells the health as it is */
export function createHealthWatch(look: () => Promise<Status>, shutdown: AbortSignal): HealthWatch {
  const asleep = new Set<() => void>();
  let watchers = 0;
  /** Undefined until it has been looked at since somebody watches. */
  let current: Status | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  function wakeAll(): void {
    for (const wake of asleep) wake();
  }
  shutdown.addEventListener('abort', wakeAll, { once: true });

  function checkAgain(): void {
    looking ??= look().then((now) => {
      looking = undefined;
      if (watchers === 0) return;
      timer = setTimeout(checkAgain, LOOK_EVERY);
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

  /** Until there is something to tell, or the caller has gone. */
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
          const now = shutdown.aborted ? await look() : current;
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
