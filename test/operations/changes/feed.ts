import { expect, vi } from 'vitest';
import type { RestAnswer, TestService } from '../../support/service.ts';

type Json = RestAnswer['body'];

/** The used part of a service. */
type Fed = Pick<TestService, 'rest' | 'db' | 'clientId' | 'adminToken'>;

/** Switches the feed on, and waits until this process records changes. @returns the end of the feed */
export async function switchOn(service: Fed, keepDays = 30): Promise<string> {
  const answer = await service.rest('PUT', '/v1/change-feed', { keepDays }, service.adminToken);
  expect(answer).toMatchObject({ status: 200, body: { keepDays } });
  const { body: probe } = await service.rest('POST', '/accounts', {});
  await vi.waitFor(
    async () => {
      await addPoints(service, probe.id, 1);
      expect((await feedOf(service)).nextAfter).not.toBe(answer.body.nextAfter);
    },
    { timeout: 8_000 },
  );
  return endOfFeed(service);
}

/** The feed as it is answered. */
export async function feedOf(service: Fed): Promise<Json> {
  const { status, body } = await service.rest('GET', '/v1/change-feed');
  expect(status).toBe(200);
  return body;
}

/** The end of the feed when every committed change has its number. */
export async function endOfFeed(service: Fed): Promise<string> {
  await numbered(service);
  return (await feedOf(service)).nextAfter;
}

/** Waits until every committed change has its number. */
export async function numbered({ db, clientId }: Pick<Fed, 'db' | 'clientId'>): Promise<void> {
  const waiting = () =>
    db.unitOfWork(clientId, (uow) =>
      uow.query('select id from change_batch where client_id = $1 and number is null', [uow.clientId]),
    );
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), { timeout: 10_000 });
}

/** Corrects the points of an account. */
export async function addPoints(service: Pick<Fed, 'rest'>, accountId: string, amount: number): Promise<void> {
  const path = `/admin/accounts/${accountId}/points/adjust`;
  const { status, body } = await service.rest('POST', path, { amount, reason: 'test' });
  expect(status, JSON.stringify(body)).toBe(200);
}

/** All changes behind a cursor, page by page, once every committed one has its number. */
export async function changesAfter(
  service: Fed,
  after: string | undefined,
  { limit = 100, kinds = [] as readonly string[] } = {},
): Promise<{ readonly rows: Json[]; readonly nextAfter: string }> {
  await numbered(service);
  const rows: Json[] = [];
  for (let next = after; ;) {
    const query = new URLSearchParams({ limit: String(limit), ...(next !== undefined && { after: next }) });
    for (const kind of kinds) query.append('kinds', kind);
    const { status, body } = await service.rest('GET', `/v1/changes?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    rows.push(...body.rows);
    next = body.nextAfter as string;
    if (!body.hasMore) return { rows, nextAfter: next };
  }
}

/** The number in a cursor. */
export const numberIn = (cursor: string): number => Number(cursor.split('-')[0]);
