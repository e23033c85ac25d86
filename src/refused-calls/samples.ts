import type { CallKind } from './call-counts.ts';

/** The maximum of kept calls. */
export type SampleLimits = {
  /** Calls of one kind in a minute: the same client, credential, operation and code. */
  readonly ofKindPerMinute: number;
  /** Calls of one operation of a client in an hour, and of a client. */
  readonly ofOperationPerHour: number;
  readonly ofClientPerHour: number;
  /** Calls that wait for the database. */
  readonly waiting: number;
};

/**
 * A client keeps at most 48,000 calls of a day of a process. The limit of an operation is lower than that of a client, so that a flood of
 * events leaves room for refused purchases.
 */
export const SAMPLE_LIMITS: SampleLimits = {
  ofKindPerMinute: 20,
  ofOperationPerHour: 500,
  ofClientPerHour: 2_000,
  waiting: 5_000,
};

/** Decides which refused calls are kept. */
export type Sampler = {
  /** Whether a call is kept; then it counts. */
  keeps(kind: CallKind, at: Date): boolean;
};

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Keeps the first calls of each minute and hour, so that a refusal that is rare is always kept. */
export function createSampler({ ofKindPerMinute, ofOperationPerHour, ofClientPerHour }: SampleLimits): Sampler {
  const minute = createWindow(MINUTE_MS);
  const hour = createWindow(HOUR_MS);
  return {
    keeps({ clientId, credentialId, operation, code }, at) {
      const ofKind = `${clientId} ${credentialId} ${operation} ${code}`;
      const ofOperation = `${clientId} ${operation}`;
      if (minute.count(ofKind, at) >= ofKindPerMinute) return false;
      if (hour.count(ofOperation, at) >= ofOperationPerHour || hour.count(clientId, at) >= ofClientPerHour)
        return false;
      minute.add(ofKind);
      hour.add(ofOperation);
      hour.add(clientId);
      return true;
    },
  };
}

/** Counts by key in the present window of time. */
function createWindow(lengthMs: number) {
  let present = -Infinity;
  let counts = new Map<string, number>();
  return {
    count(key: string, at: Date): number {
      const window = Math.floor(at.getTime() / lengthMs);
      if (window !== present) {
        present = window;
        counts = new Map();
      }
      return counts.get(key) ?? 0;
    },
    add(key: string): void {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
  };
}
