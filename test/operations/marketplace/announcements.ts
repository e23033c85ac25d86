import { expect } from 'vitest';
import type { TestService } from '../../support/service.ts';
import { waitingOf } from '../webhooks/fixture.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

/** The change in the body of the publication-status webhook. */
export type Announcement = {
  readonly publicationId: string;
  readonly status: string;
  readonly pauseReason: string;
  readonly availableStock: number;
  readonly timestamp: string;
};

/** An integrator that receives the changes of its publications. */
export type Listener = {
  readonly receiver: Receiver;
  /** All received changes, at least the first `count`, by publication in order of time. */
  received(count: number): Promise<ReadonlyMap<string, readonly Announcement[]>>;
};

/** Sets a client's publication-status webhook to a receiver on this machine. */
export async function listen(service: TestService, adminToken = service.adminToken): Promise<Listener> {
  const receiver = await startReceiver();
  const settings = {
    endpoint: `${receiver.url}/publications`,
    authenticationMethodType: 'QUERY_PARAM',
    authenticationMethodKey: 'token',
    authenticationValue: 'a-long-secret',
  };
  const put = await service.rest('PUT', '/webhooks/publication-status', settings, adminToken);
  expect(put).toMatchObject({ status: 200 });
  return {
    receiver,
    async received(count) {
      await receiver.got(count);
      return Map.groupBy(announcementsOf(receiver), ({ publicationId }) => publicationId);
    },
  };
}

/** Makes the database record every change of a publication's state, from any source, announced or not. */
export async function recordChanges(service: TestService): Promise<void> {
  await service.db.systemUnitOfWork(async (uow) => {
    // Runs as the owner of the tables.
    await uow.query('set local role none');
    await uow.query(`create table change (
      publication_id uuid, status text, pause_reason text, available_stock int, changed_at timestamptz(3))`);
    await uow.query('grant insert, select on change to laurel_app');
    await uow.query(`create function record_change() returns trigger language plpgsql as $$
      begin
        insert into change values (new.id, new.status, new.pause_reason, least(
          new.stock - new.reserved,
          case when new.status = 'PUBLISHED_ON_MARKETPLACE' then
            (select a.stock - a.reserved from agreement a where a.client_id = new.client_id and a.id = new.agreement_id)
          end
        ), new.status_changed_at);
        return null;
      end $$`);
    await uow.query(`create trigger record_change after update on publication for each row
      when (old.status is distinct from new.status) execute function record_change()`);
  });
}

/** Checks that every recorded change was announced exactly once and unchanged, and no other. Returns the changes in order of time. */
export async function expectAllAnnounced(service: TestService, { receiver }: Listener): Promise<Announcement[]> {
  await expect.poll(() => waitingOf(service.db, service.clientId), { timeout: 15_000 }).toBe(0);
  const changes = await service.db.unitOfWork(service.clientId, (uow) =>
    uow.query<Omit<Announcement, 'timestamp'> & { changedAt: Date }>(
      `select publication_id as "publicationId", status, pause_reason as "pauseReason",
              available_stock as "availableStock", changed_at as "changedAt" from change`,
    ),
  );
  const recorded = changes.map(({ changedAt, ...change }) => ({ ...change, timestamp: changedAt.toISOString() }));
  const announced = announcementsOf(receiver);
  expect(announced).toEqual(inOrder(recorded));
  return announced;
}

function announcementsOf({ received }: Receiver): Announcement[] {
  return inOrder(
    received.map(({ body }) => {
      const { publicationId, status, pauseReason, availableStock, timestamp } = JSON.parse(body) as Announcement;
      return { publicationId, status, pauseReason, availableStock, timestamp };
    }),
  );
}

/** Orders by time; changes of the same time are of different publications. */
function inOrder(announcements: readonly Announcement[]): Announcement[] {
  const key = ({ timestamp, publicationId }: Announcement) => `${timestamp} ${publicationId}`;
  return announcements.toSorted((one, other) => key(one).localeCompare(key(other)));
}
