import type { Tenant } from '../support/tenant.ts';

/** A client of the service, and the function for its calls. */
export type Caller = {
  readonly clientId: string;
  /** Sends a POST; below `/admin` as the client's administrator. @throws Error for an answer without success */
  call(path: string, body?: unknown): Promise<string>;
};

/** Events per second of the observed client: few, so that only the large client can cause waits. */
const EVENTS_PER_SECOND = 50;

/** The caller for a client of the service at `baseUrl`. */
export function callerOf(baseUrl: string, { clientId, apiKey, adminToken }: Tenant): Caller {
  return {
    clientId,
    async call(path, body) {
      const token = path.startsWith('/admin') ? adminToken : apiKey;
      const response = await fetch(baseUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text.slice(0, 500)}`);
      return text;
    },
  };
}

/** Creates a campaign of one mission for a client. */
export async function setUpOther({ call }: Caller): Promise<void> {
  const idOf = async (path: string, body: unknown) => (JSON.parse(await call(path, body)) as { id: string }).id;
  await call('/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  const audienceId = await idOf('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const rewardId = await idOf('/admin/rewards', { name: '10 points', type: 'POINTS', amount: 10 });
  const id = await idOf('/admin/campaigns', {
    name: 'Come back',
    audienceIds: [audienceId],
    rewardIds: [rewardId],
    missions: [{ type: 'MISSION', name: 'Log in often', programmaticCode: 'LOGIN', target: 1_000_000 }],
  });
  await call(`/admin/campaigns/${id}/activate`);
}

/** Sends events at a steady pace, without waiting for earlier answers; returns the milliseconds of each. */
export async function paced({ call }: Caller, seconds: number): Promise<number[]> {
  const delays: number[] = [];
  const running: Promise<void>[] = [];
  const send = async (account: number) => {
    const begun = performance.now();
    await call('/gamification/triggers', eventOf(account % 20));
    delays.push(performance.now() - begun);
  };
  await new Promise<void>((resolve) => {
    const pace = setInterval(() => {
      running.push(send(running.length));
      if (running.length < seconds * EVENTS_PER_SECOND) return;
      clearInterval(pace);
      resolve();
    }, 1_000 / EVENTS_PER_SECOND);
  });
  await Promise.all(running);
  return delays;
}

/** An event that all missions of a large catalogue count. */
export function eventOf(account: number) {
  return { programmaticCode: 'LOGIN', accountId: `account-${account}`, idType: 'EXTERNAL' };
}
