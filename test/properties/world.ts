import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type App, startApp } from '../../src/app/app.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { type Journey, type Stage, startJourney } from '../journeys/stage.ts';
import type { RestAnswer } from '../support/service.ts';
import { type Call, type Heard, type Player, players, type WaitingReward } from './calls.ts';
import { fillBalance } from '../operations/rewards/provision.ts';
import { createResources } from './world-resources.ts';
import { observedState } from './observed-state.ts';
import { BALANCE_MAX } from './point-book.ts';
import { digestOf, type Request, requestOf } from './requests.ts';

/** The service as two processes on one database, at the time of one clock. */
export type Nodes = Journey & { readonly second: App };

/** A client with everything that the model knows, and its accounts. */
export type World = {
  readonly clientId: string;
  /** Sends a call to one of the nodes, in turns. */
  send(call: Call): Promise<Heard>;
  /** Ids of the chests of an account, the first one first, opened ones included. */
  chestsOf(who: Player): Promise<string[]>;
  /** Ids of what an account has bought, the latest first, what was taken back included. */
  purchasesOf(who: Player): Promise<string[]>;
  /** What an account waits for, the first earned first. */
  waitingOf(who: Player): Promise<WaitingReward[]>;
  /** Has everybody's points looked at, so that what has expired is entered. */
  touched(): Promise<void>;
  /** Resolves when every event that was accepted has been applied. */
  settled(): Promise<void>;
  /** What the service says of everything: see `expectedState` of the model. */
  observedState(): Promise<object>;
  /** Every code that any account holds. */
  codes(): Promise<string[]>;
};

/** Starts both nodes; {@link closeNodes} in `afterAll`. */
export async function startNodes(moment: string): Promise<Nodes> {
  const journey = await startJourney(moment);
  const second = await startApp({
    db: journey.service.db,
    secrets: createSecretBox([randomBytes(32)]),
    logger: pino({ level: 'error' }, process.stderr),
    clock: journey.clock.read,
    server: { host: '127.0.0.1', port: 0 },
    events: { triggerConcurrency: 2 },
    webhooks: { allowPrivate: true },
  });
  return { ...journey, second };
}

/** Stops both. */
export async function closeNodes({ second, service }: Nodes): Promise<void> {
  await second.close();
  await service.close();
}

/** How a world begins: Bob has so many points already, and webhooks go to an address. */
export type WorldOptions = { readonly bobsPoints?: number; readonly webhook?: string };

/** Sets a world up as its model begins. */
export async function newWorld(nodes: Nodes, { bobsPoints = 0, webhook }: WorldOptions = {}): Promise<World> {
  const stage = await nodes.stage();
  const ids = await createResources(stage);
  if (webhook !== undefined)
    for (const type of ['rewards', 'publication-status'])
      await stage.rest('PUT', `/webhooks/${type}`, { endpoint: webhook, retries: true });
  if (bobsPoints > 0) {
    const bob = await stage.player('bob').id();
    await fillBalance(nodes.service.db, stage.clientId, bob, BALANCE_MAX - bobsPoints, nodes.clock.read());
  }
  const post = sender(nodes, stage);
  /** What was cancelled is among the earned rewards no more, by account. */
  const cancelled: Record<Player, string[]> = { ada: [], bob: [] };
  const lists = (path: string) => Promise.all(players.map((who) => stage.player(who).get(path)));
  return {
    clientId: stage.clientId,
    async send(call) {
      const answer = await post(requestOf(ids, call));
      const entries: Array<{ rewardId: string; drawn: boolean }> | undefined = answer.body?.chest?.roll.entries;
      const drawn = entries?.filter((entry) => entry.drawn).map(({ rewardId }) => ids.prizes.get(rewardId)!);
      if (call.do === 'cancelWaiting' && answer.status === 200) cancelled[call.who].push(answer.body.id);
      const redemptionId = call.do === 'buy' || call.do === 'redeem' ? answer.body.id : undefined;
      return { says: digestOf(call, answer), drawn, redemptionId };
    },
    async purchasesOf(who) {
      const redemptions: Array<{ id: string; source: string }> = await stage.player(who).get('/redemptions/{id}');
      return redemptions.filter(({ source }) => ['LOYALTY', 'MARKETPLACE'].includes(source)).map(({ id }) => id);
    },
    async chestsOf(who) {
      const chests = await stage.player(who).get('/gamification/chests/account/{id}');
      return chests.map(({ id }: { id: string }) => id).toReversed();
    },
    async waitingOf(who) {
      const earned: Array<{ id: string; status: string }> = await stage.player(who).rewards();
      const ids = new Set([...cancelled[who], ...earned.map(({ id }) => id)]);
      const sorted = [...ids].toSorted((a, b) => (a < b ? -1 : 1));
      const waiting = earned.filter(({ status }) => status === 'PENDING_STOCK');
      return waiting.map(({ id }) => ({ earnedId: id, nth: sorted.indexOf(id) })).toReversed();
    },
    async touched() {
      await Promise.all(players.map((who) => stage.player(who).points()));
    },
    async settled() {
      const inbox = () =>
        nodes.service.db.unitOfWork(stage.clientId, (uow) =>
          uow.query('select 1 from trigger_inbox where dead_at is null'),
        );
      while ((await inbox()).length > 0) await sleep(5);
    },
    observedState: () => observedState(stage, ids),
    async codes() {
      const redemptions: Array<{ redeemables: Array<{ code: string }> }> = (await lists('/redemptions/{id}')).flat();
      return redemptions.flatMap(({ redeemables }) => redeemables.map(({ code }) => code));
    },
  };
}

function sender(nodes: Nodes, { apiKey, adminToken }: Stage): (request: Request) => Promise<RestAnswer> {
  const ports = [nodes.service.app.port, nodes.second.port];
  let turn = 0;
  return async ({ method = 'POST', path, body }) => {
    turn += 1;
    const token = path.startsWith('/admin') ? adminToken : apiKey;
    const answer = await fetch(`http://127.0.0.1:${ports[turn % 2]}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
}
