import { expect } from 'vitest';
import type { Clock } from '../../src/kernel/time/clock.ts';
import { type Game, type GameOptions, newGame } from '../support/game.ts';
import { type RestAnswer, startService, type Tenant, type TestService } from '../support/service.ts';

/** A clock that shows the time set by a test. */
export type SetClock = {
  readonly read: Clock;
  /** An instant (`2027-03-01T12:00Z`), a local time with its zone (`2027-03-01T12:00[Europe/Madrid]`), or milliseconds. */
  set(moment: string | number): void;
};

/** A service that uses the given clock. */
export type Journey = {
  readonly service: TestService;
  readonly clock: SetClock;
  stage(timeZone?: string): Promise<Stage>;
};

/** A separate tenant, so that a test can read whole feeds and lists. */
export type Stage = Tenant & {
  game(options: GameOptions): Promise<Game>;
  /** A call to the administration API that must succeed; returns its body. */
  admin(path: string, body?: object): Promise<RestAnswer['body']>;
  rest(method: string, path: string, body?: object): Promise<RestAnswer>;
  /** The account with that external id; it does not have to exist yet. */
  player(externalId: string): Player;
};

/** The optional parts of an event. */
export type EventOptions = {
  readonly amount?: number;
  readonly occurredAt?: string | number;
  readonly operationId?: string;
};

/** The calls of one account. */
export type Player = {
  /** Its internal id; creates the account if necessary. */
  id(): Promise<string>;
  /** Sends an event, with any result. */
  send(programmaticCode: string, options?: EventOptions): Promise<RestAnswer>;
  /** Sends an event that must be accepted; returns the answer. */
  emit(programmaticCode: string, options?: EventOptions): Promise<RestAnswer['body']>;
  /** The feed with the given statuses, or ACTIVE missions by default. */
  feed(...statuses: string[]): Promise<RestAnswer['body']>;
  /** A GET of a path in which `{id}` is replaced by the account's id. */
  get(path: string, filters?: Readonly<Record<string, unknown>>): Promise<RestAnswer['body']>;
  claim(campaignId: string, operationId?: string): Promise<RestAnswer>;
  points(): Promise<RestAnswer['body']>;
  /** Its earned rewards, filtered by the given fields. */
  rewards(filters?: Readonly<Record<string, unknown>>): Promise<RestAnswer['body']>;
};

/** Starts a service whose clock shows `moment`; close its `service` in `afterAll`. */
export async function startJourney(moment: string): Promise<Journey> {
  const clock = setClock(moment);
  const service = await startService({ clock: clock.read });
  return { service, clock, stage: async (timeZone) => newStage(service, await service.newTenant(timeZone)) };
}

/** The milliseconds of a moment in the forms of {@link SetClock}. */
export function instantOf(moment: string | number): number {
  if (typeof moment === 'number') return moment;
  return moment.includes('[')
    ? Temporal.ZonedDateTime.from(moment).epochMilliseconds
    : Temporal.Instant.from(moment).epochMilliseconds;
}

/** The query parameter `filters` with conditions that must all be true. */
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
    // The start is long ago, because the clocks of journeys go back and forth, and without a start earlier events do not count.
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
