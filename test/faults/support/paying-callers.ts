import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A call of a paying caller: its scheduled time and its duration in milliseconds; `status` is 0 without an answer. */
export type PaidCall = { readonly due: number; readonly ms: number; readonly status: number };

/** Callers that send events at a fixed rate, whether or not earlier events are answered. */
export type PayingCallers = {
  readonly calls: readonly PaidCall[];
  /** Starts no more calls, and waits for the started ones. */
  stop(): Promise<void>;
};

/** Milliseconds after which a caller gives up. */
const TIMEOUT_MS = 40_000;

/** @param options.perSecond calls started each second, over persistent connections */
export function startPayingCallers(options: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly perSecond: number;
}): PayingCallers {
  // A different address from that of strangers, if the system has one.
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
