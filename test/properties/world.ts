import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { type App, startApp } from '../../src/app/app.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import { type Journey, type Stage, startJourney } from '../journeys/stage.ts';
import type { RestAnswer } from '../support/service.ts';
import { type Call, type Received, type Player, players, type WaitingReward } from './calls.ts';
import { fillBalance } from '../operations/rewards/provision.ts';
import { createResources } from './world-resources.ts';
import { observedState } from './observed-state.ts';
import { BALANCE_MAX } from './point-book.ts';
import { digestOf, type Request, requestOf } from './requests.ts';

/** The service as two processes on one database, with one clock. */
export type Nodes = Journey & { readonly second: App };

/** A client with all resources of the model, and its accounts. */
export type World = {
  readonly clientId: string;
  /** Sends a call, to both nodes in turn. */
  send(call: Call): Promise<Received>;
  /** Ids of an account's chests, oldest first, with opened ones. */
  chestsOf(who: Player): Promise<string[]>;
  /** Ids of an account's purchases, latest first, with cancelled ones. */
  purchasesOf(who: Player): Promise<string[]>;
  /** The rewards of an account that wait for stock, earliest first. */
  waitingOf(who: Player): Promise<WaitingReward[]>;
  /** Reads the points of all accounts, so that their expiry is recorded. */
  touched(): Promise<void>;
  /** Resolves after all accepted events have been applied. */
  settled(): Promise<void>;
  /** The answers of all reads: see `expectedState` of the model. */
  observedState(): Promise<object>;
  /** The codes of all accounts. */
  codes(): Promise<string[]>;
};

/** Starts both nodes; call {@link closeNodes} in `afterAll`. */
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

/** Stops both nodes. */
export async function closeNodes({ second, service }: Nodes): Promise<void> {
  await second.close();
  await service.close();
}

/** The initial points of Bob, and the URL that receives webhooks. */
export type WorldOptions = { readonly bobsPoints?: number; readonly webhook?: string };

/** Creates a world in the model's initial state. */
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
  /** Cancelled rewards by account: reads of earned rewards no longer list them. */
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
      return { digest: digestOf(call, answer), drawn, redemptionId };
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
