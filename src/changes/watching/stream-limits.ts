import { TooManyRequests } from '../../kernel/errors/rate-limited.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';

/** The most open streams in one process. */
export type StreamLimits = { readonly ofAccount: number; readonly ofClient: number };

/** An account with some devices and pages; a client whose streams need some 600 MiB. */
export const STREAM_LIMITS: StreamLimits = { ofAccount: 10, ofClient: 10_000 };

/** The advised milliseconds until the next try. */
const WAIT_MS = 5_000;

/** Counts open streams. */
export type StreamCounts = {
  /**
   * Takes a place, and returns the function that gives it back.
   * @throws TooManyRequests `RATE_LIMITED` without a free place
   */
  enter(clientId: string, accountId: string): () => void;
  /** The number of open streams. */
  open(): number;
};

/** The counts of a process. */
export function createStreamCounts({ ofAccount, ofClient }: StreamLimits): StreamCounts {
  const accounts = counter(ofAccount, sentence`This account has ${ofAccount} open streams already. Close one of them.`);
  const clients = counter(ofClient, sentence`This client has ${ofClient} open streams already. Use another process.`);
  let open = 0;
  return {
    enter(clientId, accountId) {
      const account = `${clientId} ${accountId}`;
      accounts.check(account);
      clients.check(clientId);
      const counted = [
        [accounts, account],
        [clients, clientId],
      ] as const;
      for (const [each, key] of counted) each.add(key, 1);
      open += 1;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        open -= 1;
        for (const [each, key] of counted) each.add(key, -1);
      };
    },
    open: () => open,
  };
}

function counter(most: number, refusal: Sentence) {
  const counts = new Map<string, number>();
  return {
    check(key: string): void {
      if ((counts.get(key) ?? 0) >= most) throw new TooManyRequests('RATE_LIMITED', refusal, WAIT_MS);
    },
    add(key: string, count: 1 | -1): void {
      const now = (counts.get(key) ?? 0) + count;
      if (now === 0) counts.delete(key);
      else counts.set(key, now);
    },
  };
}
