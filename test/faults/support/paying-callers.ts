import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A call of a caller who pays: when it was due and how long it took, in milliseconds; `status` 0 if it was not answered. */
export type PaidCall = { readonly due: number; readonly ms: number; readonly status: number };

/** Callers who send events at a fixed rate, whether or not those before are answered. */
export type PayingCallers = {
  readonly calls: readonly PaidCall[];
  /** Begins no more, and waits for those that have begun. */
  stop(): Promise<void>;
};

/** Milliseconds after which a caller gives up. */
const TIMEOUT_MS = 40_000;

/** @param options.perSecond calls that are begun each second, over connections that are kept */
export function startPayingCallers(options: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly perSecond: number;
}): PayingCallers {
  // Another address than that of strangers, where the system has one.
  const localAddress = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000, localAddress });
  const calls: PaidCall[] = [];
  const open = new Set<Promise<void>>();
  const stopping = new AbortController();
  const headers = { authorization: `Bearer ${options.apiKey}`, 'content-type': 'application/json' };
  const call = (account: number) =>
    new Promise<number>((resolve) => {
      const url = `${options.baseUrl}/gamification/triggers`;
      const request = httpRequest(url, { method: 'POST', agent, headers, timeout: TIMEOUT_MS }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
        answer.once('error', () => resolve(0));
      });
      request.once('timeout', () => request.destroy()).once('error', () => resolve(0));
      request.end(JSON.stringify({ programmaticCode: 'LOGIN', idType: 'EXTERNAL', accountId: `payer-${account}` }));
    });

  async function begin(): Promise<void> {
    const begun = performance.now();
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      const due = begun + (count * 1_000) / options.perSecond;
      await sleep(Math.max(0, due - performance.now()));
      const done = call(count % 20).then((status) => {
        calls.push({ due, ms: performance.now() - due, status });
        open.delete(done);
      });
      open.add(done);
    }
  }
  const beginning = begin();
  return {
    calls,
    async stop() {
      stopping.abort();
      await beginning;
      await Promise.all(open);
      agent.destroy();
    },
  };
}
