import { randomBytes } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import { expect } from 'vitest';
import { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import { TriggerSchema } from '../../gen/laurel/v1/trigger_pb.ts';
import { createCatalogs } from '../../src/campaigns/catalog/catalog.ts';
import { runTriggers } from '../../src/triggers/run-triggers.ts';
import { type Receiver, startReceiver } from '../operations/webhooks/receiver.ts';
import { testDatabase } from '../support/database.ts';
import { type GameOptions, newGame } from '../support/game.ts';
import { type Rest, type RestAnswer, restAs, startService, type TestService } from '../support/service.ts';

/** The body of a webhook. */
export type Body = Record<string, unknown>;

/** An event of the code LOGIN. */
export const eventOf = (accountId: string, more: object = {}) => ({
  programmaticCode: 'LOGIN',
  accountId,
  idType: 'EXTERNAL',
  metadata: {},
  ...more,
});

/** The body of an answer, which must be a success. */
export async function ok(answer: Promise<RestAnswer>): Promise<RestAnswer['body']> {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
}

/** Two services on one database, like two processes; `clock.now` is their time in milliseconds. */
export async function startTwoServices() {
  const database = await testDatabase();
  const clock = { now: Date.parse('2027-06-01T12:00Z') };
  const shared = { database: { ...database, drop: async () => {} }, secretKeys: [randomBytes(32)] };
  const start = () => startService({ ...shared, clock: () => new Date(clock.now) });
  const services: readonly [TestService, TestService] = [await start(), await start()];
  return {
    services,
    clock,
    /** A new client with a receiver, which the test closes. */
    scene: async () => newScene(services, await startReceiver(), clock),
    async close() {
      for (const { app } of services) await app.close();
      await database.drop();
    },
  };
}

/** The calls and webhooks of a test. */
export type Scene = Awaited<ReturnType<typeof newScene>>;

async function newScene(services: readonly [TestService, TestService], receiver: Receiver, clock: { now: number }) {
  const tenant = await services[0].newTenant();
  const { db } = services[0];
  const rests = services.map(({ baseUrl }) => restAs(baseUrl, tenant));
  const rest: Rest = (...call) => rests[0]!(...call);

  /** The bodies of all webhooks, after the outbox is empty. */
  async function bodies(): Promise<Body[]> {
    const waiting = () => db.unitOfWork(tenant.clientId, (uow) => uow.query('select 1 from outbox_message'));
    await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toEqual([]);
    return receiver.received.map(({ body }) => JSON.parse(body));
  }

  return {
    tenant,
    rest,
    rests,
    receiver,
    bodies,
    /** The external ids in the webhooks, sorted. */
    recipients: async () =>
      (await bodies()).map(({ externalId }) => String(externalId)).toSorted((a, b) => (a < b ? -1 : 1)),
    game: (options: GameOptions = {}) => newGame(services[0], { adminToken: tenant.adminToken, ...options }),
    emit: (accountId: string, more: object = {}, process = 0) =>
      ok(rests[process]!('POST', '/gamification/triggers', eventOf(accountId, more))),
    configure: (type: string) => ok(rest('PUT', `/webhooks/${type}`, { endpoint: receiver.url })),
    /** Applies a LOGIN and rolls it back; returns the number of webhooks in the outbox before the rollback. */
    async rollBackLogin(accountId: string): Promise<number> {
      const login = { programmaticCode: 'LOGIN', accountId, idType: Account_IdType.EXTERNAL, metadata: {} };
      let enqueued = 0;
      const undone = db.unitOfWork(tenant.clientId, async (uow) => {
        await runTriggers(uow, createCatalogs(), [create(TriggerSchema, login)], new Date(clock.now));
        enqueued = (await uow.query('select 1 from outbox_message')).length;
        throw new Error('rolled back');
      });
      await expect(undone).rejects.toThrow('rolled back');
      return enqueued;
    },
  };
}
