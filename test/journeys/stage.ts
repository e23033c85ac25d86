import { expect } from 'vitest';
import type { Clock } from '../../src/kernel/time/clock.ts';
import { type Game, type GameOptions, newGame } from '../support/game.ts';
import { type RestAnswer, startService, type Tenant, type TestService } from '../support/service.ts';

/** A clock that stands where a test sets it. */
export type SetClock = {
  readonly read: Clock;
  /** An instant (`2027-03-01T12:00Z`), a local time with its zone (`2027-03-01T12:00[Europe/Madrid]`), or milliseconds. */
  set(moment: string | number): void;
};

/** A service that lives at the time of its clock. */
export type Journey = {
  readonly service: TestService;
  readonly clock: SetClock;
  stage(timeZone?: string): Promise<Stage>;
};

/** A tenant of its own, so that a test may look at whole feeds and lists. */
export type Stage = Tenant & {
  game(options: GameOptions): Promise<Game>;
  /** A call to the administration API that must succeed; gives its body. */
  admin(path: string, body?: object): Promise<RestAnswer['body']>;
  rest(method: string, path: string, body?: object): Promise<RestAnswer>;
  /** The account with that external id, which need not exist yet. */
  player(externalId: string): Player;
};

/** What a player may send with an event. */
export type EventOptions = {
  readonly amount?: number;
  readonly occurredAt?: string | number;
  readonly operationId?: string;
};

/** What one account does and sees. */
export type Player = {
  /** Its internal id; creates the account. */
  id(): Promise<string>;
  /** Sends an event, whatever becomes of it. */
  send(programmaticCode: string, options?: EventOptions): Promise<RestAnswer>;
  /** Sends an event that must be taken; gives what it did. */
  emit(programmaticCode: string, options?: EventOptions): Promise<RestAnswer['body']>;
  /** The feed; of the statuses named, else of what is ACTIVE. */
  feed(...statuses: string[]): Promise<RestAnswer['body']>;
  /** A GET of a path with `{id}` where the account's id belongs. */
  get(path: string, filters?: Readonly<Record<string, unknown>>): Promise<RestAnswer['body']>;
  claim(campaignId: string, operationId?: string): Promise<RestAnswer>;
  points(): Promise<RestAnswer['body']>;
  /** Its earned rewards, filtered by the fields given. */
  rewards(filters?: Readonly<Record<string, unknown>>): Promise<RestAnswer['body']>;
};

/** Starts a service whose clock stands at `moment`; close its `service` in `afterAll`. */
export async function startJourney(moment: string): Promise<Journey> {
  const clock = setClock(moment);
  const service = await startService({ clock: clock.read });
  return { service, clock, stage: async (timeZone) => newStage(service, await service.newTenant(timeZone)) };
}

/** Milliseconds of a moment as {@link SetClock} takes it. */
export function instantOf(moment: string | number): number {
  if (typeof moment === 'number') return moment;
  return moment.includes('[')
    ? Temporal.ZonedDateTime.from(moment).epochMilliseconds
    : Temporal.Instant.from(moment).epochMilliseconds;
}

/** The query parameter `filters` for conditions that all must hold. */
export function filtersOf(conditions: Readonly<Record<string, unknown>>): string {
  const filters = Object.entries(conditions).map(([field, value]) => ({ field, value }));
  return `filters=${encodeURIComponent(JSON.stringify({ filters }))}`;
}

function setClock(moment: string): SetClock {
  let now = instantOf(moment);
  return { read: () => new Date(now), set: (next) => (now = instantOf(next)) };
}

function newStage(service: TestService, tenant: Tenant): Stage {
  const rest: Stage['rest'] = (method, path, body) =>
    service.rest(method, path, body, /^\/(admin|webhooks)\b/.test(path) ? tenant.adminToken : tenant.apiKey);
  return {
    ...tenant,
    rest,
    // With a start long ago, because clocks of journeys go back and forth: without one, nothing from before its activation counts.
    game: ({ campaign, ...options }) =>
      newGame(service, {
        adminToken: tenant.adminToken,
        ...options,
        campaign: { startsAt: '2020-01-01T00:00:00Z', ...campaign },
      }),
    admin: async (path, body) => bodyOf(await rest('POST', path, body)),
    player: (externalId) => newPlayer(rest, externalId),
  };
}

function newPlayer(rest: Stage['rest'], accountId: string): Player {
  const own = { accountId, idType: 'EXTERNAL' };
  const send: Player['send'] = (programmaticCode, { amount, occurredAt, operationId } = {}) =>
    rest('POST', '/gamification/triggers', {
      ...own,
      programmaticCode,
      metadata: amount === undefined ? {} : { amount },
      operationId,
      occurredAt: occurredAt === undefined ? undefined : new Date(instantOf(occurredAt)).toISOString(),
    });
  const get: Player['get'] = async (path, filters = {}) => {
    const query = Object.keys(filters).length === 0 ? '' : `&${filtersOf(filters)}`;
    const url = `${path.replace('{id}', encodeURIComponent(accountId))}${path.includes('?') ? '&' : '?'}idType=EXTERNAL${query}`;
    return bodyOf(await rest('GET', url));
  };
  return {
    id: async () => bodyOf(await rest('POST', '/accounts/resolve', { externalId: accountId })).id,
    send,
    emit: async (programmaticCode, options) => bodyOf(await send(programmaticCode, options)),
    feed: (...statuses) => get('/v1/feed/account/{id}', statuses.length > 0 ? { status: statuses } : {}),
    get,
    claim: (campaignId, operationId) =>
      rest('POST', `/gamification/campaigns/${campaignId}/claim`, { ...own, operationId }),
    points: () => get('/loyalty/accounts/{id}/points'),
    rewards: (filters) => get('/v1/gamification/missions/my-rewards/{id}', filters),
  };
}

function bodyOf(answer: RestAnswer): RestAnswer['body'] {
  expect(answer).toMatchObject({ status: expect.toSatisfy((status: number) => status < 300) });
  return answer.body;
}
