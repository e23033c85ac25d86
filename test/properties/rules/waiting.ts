import { expect } from 'vitest';
import type { Stage } from '../../journeys/stage.ts';
import type { Arrival } from '../../engine/naive-model.ts';
import type { RestAnswer, TestService } from '../../support/service.ts';
import type { Player } from './steps.ts';

const DAY = 86_400_000;

/** An accepted asynchronous event. */
export type Accepted = { readonly who: Player; readonly sent: object; readonly arrival: Arrival };

/** The waiting asynchronous events of one client. */
export type Waiting = ReturnType<typeof createWaiting>;

/** A code that no mission counts. */
const WAKE = 'WAKE';

/**
 * Holds events of the code that missions count in the inbox until a test releases them. The delay is shorter than the longest retry,
 * because a longer one counts as past.
 */
export async function holdInbox({ db }: Pick<TestService, 'db'>): Promise<void> {
  await db.systemUnitOfWork(async (uow) => {
    await uow.query('set local role none');
    await uow.query(`create or replace function hold_event() returns trigger language plpgsql as
                     $$ begin new.not_before = now() + interval '23 hours'; return new; end $$`);
    await uow.query(`create or replace trigger hold_event before insert on trigger_inbox for each row
                     when (new.programmatic_code = 'PAY') execute function hold_event()`);
  });
}

let operations = 0;

/** An empty queue of a client. */
export function createWaiting({ clientId, rest, admin }: Stage) {
  let events: Array<Accepted & { readonly operationId: string }> = [];
  let isReady = false;
  const emitAsync = async (sent: object) =>
    expect(await rest('POST', '/gamification/triggers/async', sent)).toMatchObject({ status: 200 });

  return {
    /** The time before which the events must be applied, so that they are not too late for a settled period. */
    until: (): number => Math.min(...events.map(({ arrival }) => arrival.at + DAY)),

    async accept(event: Accepted): Promise<void> {
      const operationId = `waiting-${(operations += 1)}`;
      await emitAsync({ ...event.sent, operationId });
      events.push({ ...event, operationId });
    },

    /** Applies all waiting events. Returns them in order of acceptance, each with the answer that it would have had. */
    async apply({ db }: Pick<TestService, 'db'>): Promise<Array<Accepted & { readonly answer: RestAnswer['body'] }>> {
      if (events.length === 0) return [];
      const applied = events;
      events = [];
      if (!isReady) await admin('/admin/event-definitions', { programmaticCode: WAKE, type: 'SINGLE' });
      isReady = true;
      await db.unitOfWork(clientId, (uow) => uow.query('update trigger_inbox set not_before = null'));
      // The worker looks for due events as soon as an event of the client is accepted.
      await emitAsync({ programmaticCode: WAKE, accountId: 'waker', idType: 'EXTERNAL' });
      const left = () => db.unitOfWork(clientId, (uow) => uow.query('select id from trigger_inbox'));
      await expect.poll(left, { interval: 5, timeout: 10_000 }).toEqual([]);
      const answered = [];
      for (const event of applied) {
        const { status, body } = await rest('POST', '/gamification/triggers', {
          ...event.sent,
          operationId: event.operationId,
        });
        expect(status, JSON.stringify(body)).toBe(200);
        answered.push({ ...event, answer: body });
      }
      return answered;
    },
  };
}
