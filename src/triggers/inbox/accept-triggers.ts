import type { Trigger } from '../../../gen/laurel/v1/trigger_pb.ts';
import { accountNotFound, parseAccountRef } from '../../accounts/account-ref.ts';
import { selectAccounts, type WantedAccount } from '../../accounts/accounts.queries.ts';
import { createUnknownAccounts } from '../../accounts/resolve-accounts.ts';
import type { Catalogs, ClientCatalog } from '../../campaigns/catalog.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { type Claim, secondKey } from '../../operations/claim.ts';
import { refusalOf } from '../../operations/once.ts';
import { type ClaimOutcome, lookUpOperations } from '../../operations/operations.queries.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { eventOf } from '../event-of.ts';
import { claimOf, scopeOf } from '../trigger-claim.ts';
import { insertTriggers, knownTriggers, reviveTriggers } from './inbox.queries.ts';
import { storedTrigger, type StoredTrigger, triggerOf } from './waiting-trigger.ts';

/** A trigger as it came in. */
export type Arrival = {
  readonly trigger: Trigger;
  /** What `occurredAt` is by default, and what it is judged by. */
  readonly acceptedAt: Date;
};

/** The answer to an arrival, and whether its operation id was accepted or applied before. */
export type Acceptance = { readonly repeated: boolean };

type Answer = Acceptance | DomainError;

/** An arrival that has no answer yet. */
type Open = Arrival & { readonly place: number; readonly claim: Claim | undefined };

/**
 * Accepts a batch of one client's triggers: everything that a synchronous call would refuse is refused now, the others are
 * stored in the order given, and the unknown external accounts of those are created: after the last row is stored, because
 * operation ids are locked before accounts. The number of statements does not grow with the batch.
 * @returns one answer per arrival, in order; one at fault does not fail its neighbours
 */
export async function acceptTriggers(
  uow: UnitOfWork,
  catalogs: Catalogs,
  arrivals: readonly Arrival[],
): Promise<Answer[]> {
  const answers = new Array<Answer>(arrivals.length);
  const all = arrivals.map((arrival, place): Open => ({ ...arrival, place, claim: claimOf(arrival.trigger) }));
  const catalog = await catalogs(uow);
  const open = await settleRepeats(uow, all, answers);
  let valid = await settleInvalid(uow, open, catalog, answers);
  const accepted: Valid[] = [];
  while (valid.length > 0) {
    const stored = await insertTriggers(uow, valid);
    for (const arrival of valid) {
      if (!stored.has(arrival.id)) continue;
      answers[arrival.place] = { repeated: false };
      accepted.push(arrival);
    }
    // Passed over: the operation id came in this batch before, from another process a moment ago, or with another event.
    const passedOver = valid.filter(({ place }) => answers[place] === undefined);
    const others = await settleRepeats(uow, passedOver, answers);
    valid = others.map((arrival) => ({ ...arrival, key: secondKey(arrival.claim!.scope, arrival.operationId!) }));
  }
  await createUnknownAccounts(uow, accepted.flatMap(externalAccount));
  return answers;
}

function externalAccount({ idType, accountId, acceptedAt }: Valid): WantedAccount[] {
  return idType === 'EXTERNAL' ? [{ externalId: accountId, createdAt: acceptedAt }] : [];
}

/** Answers the arrivals whose operation id took effect, or waits. Gives the others. */
async function settleRepeats<T extends Open>(uow: UnitOfWork, open: readonly T[], answers: Answer[]): Promise<T[]> {
  const claimed = open.flatMap((arrival) => (arrival.claim ? [{ ...arrival, claim: arrival.claim }] : []));
  const claims = claimed.map(({ claim }) => claim);
  const [waiting, finished] = await Promise.all([waitingOutcomes(uow, claims), lookUpOperations(uow, claims)]);
  claimed.forEach(({ claim, place }, index) => {
    const outcome = finished[index]!.state === 'free' ? waiting(claim) : finished[index]!.state;
    if (outcome === 'done') answers[place] = { repeated: true };
    else if (outcome === 'reused') answers[place] = refusalOf({ state: 'reused' }, claim.operationId)!;
  });
  return open.filter(({ place }) => answers[place] === undefined);
}

/** What became of claims in the inbox. A dead letter whose event comes again waits again. */
async function waitingOutcomes(
  uow: UnitOfWork,
  claims: readonly Claim[],
): Promise<(claim: Claim) => ClaimOutcome['state']> {
  const known = await knownTriggers(uow, claims);
  const byOperation = new Map(known.map((trigger) => [secondKey(scopeOf(trigger), trigger.operationId!), trigger]));
  const stateOf = ({ operationId, scope, fingerprint }: Claim) => {
    const trigger = byOperation.get(secondKey(scope, operationId));
    if (trigger === undefined) return 'free';
    return claimOf(triggerOf(trigger))!.fingerprint.equals(fingerprint) ? 'done' : 'reused';
  };
  const again = claims.flatMap((claim) => {
    const trigger = byOperation.get(secondKey(claim.scope, claim.operationId));
    return trigger?.dead && stateOf(claim) === 'done' ? [trigger.id] : [];
  });
  await reviveTriggers(uow, again);
  return stateOf;
}

/** A row to store; `key` is its operation id, or the second key where another event has that. */
type Valid = Open & StoredTrigger & { readonly id: string; readonly key: string | null };

/** Answers the arrivals that could never be applied. Gives the others as rows to store; ids are in the order given. */
async function settleInvalid(
  uow: UnitOfWork,
  open: readonly Open[],
  catalog: ClientCatalog,
  answers: Answer[],
): Promise<Valid[]> {
  const valid: Valid[] = [];
  const internalIds = new Map<number, string>();
  for (const arrival of open) {
    const { trigger, acceptedAt, place } = arrival;
    try {
      const { occurredAt } = eventOf(trigger, catalog, acceptedAt);
      const key = parseAccountRef({ accountId: trigger.accountId, idType: trigger.idType });
      if ('id' in key) internalIds.set(place, key.id);
      const stored = storedTrigger(trigger, new Date(occurredAt));
      valid.push({ ...arrival, ...stored, id: newId(), key: stored.operationId });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      answers[place] = error;
    }
  }
  if (internalIds.size === 0) return valid;
  const accounts = await selectAccounts(uow, { ids: [...new Set(internalIds.values())], externalIds: [] });
  const existing = new Set(accounts.map(({ id }) => id));
  for (const [place, id] of internalIds) if (!existing.has(id)) answers[place] = accountNotFound({ id });
  return valid.filter(({ place }) => answers[place] === undefined);
}
