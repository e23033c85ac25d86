import { randomUUID } from 'node:crypto';
import { newGame } from '../../support/game.ts';
import type { TestService } from '../../support/service.ts';

/** An entry as REST answers it. */
export type Entry = {
  readonly id: string;
  readonly accountId?: string;
  readonly programmaticCode: string;
  readonly operationId?: string;
  readonly effect: string;
  readonly uncountedReason?: string;
  readonly missionId?: string;
  readonly missionName?: string;
  readonly campaignId?: string;
  readonly campaignName?: string;
  readonly missions: readonly Record<string, unknown>[];
  readonly campaigns: readonly Record<string, unknown>[];
  readonly rewards: readonly Record<string, unknown>[];
  readonly recordedAt: string;
  readonly occurredAt: string;
  readonly deadTriggerId?: string;
  readonly errorCode?: string;
  readonly explanation?: string;
  readonly attributes?: Record<string, unknown>;
};

/** Calls of a service, and reads of its journal. */
export function journalOf(service: TestService) {
  const list = (query: Record<string, string> = {}, token?: string) =>
    service.rest('GET', `/admin/journal?${new URLSearchParams(query)}`, undefined, token);
  const entries = async (query: Record<string, string> = {}, token?: string): Promise<Entry[]> =>
    (await list(query, token)).body.rows;
  /** Sends an event and returns its entry; for an event with metadata also that. */
  const emitAndReadEntry = async (programmaticCode: string, accountId: string, more: Record<string, unknown> = {}) => {
    const operationId = randomUUID();
    const event = { programmaticCode, accountId, idType: 'EXTERNAL', metadata: {}, operationId, ...more };
    const { status, body } = await service.rest('POST', '/gamification/triggers', event);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    const found = await entries({ operationId });
    if (found.length !== 1) throw new Error(`${found.length} entries for one event`);
    return found[0]!;
  };
  const accountId = async (externalId: string): Promise<string> =>
    (await service.rest('POST', '/accounts/resolve', { externalId })).body.id;
  return { list, entries, emitAndReadEntry, accountId };
}

/** A mission, and more of the game around it. */
export type Game = readonly [mission: object, more?: Record<string, unknown>];

let codes = 0;
/** A code that is not used elsewhere. */
export const newCode = () => `CODE_${(codes += 1)}`;

/** A game whose only mission counts a new code. */
export async function codedGame(service: TestService, ...[mission, { type = 'SINGLE', ...more } = {}]: Game) {
  const code = newCode();
  const game = await newGame(service, {
    codes: { [code]: type as 'SINGLE' },
    missions: [{ programmaticCode: code, ...mission }],
    ...more,
  });
  return { ...game, code };
}
