import type { Trigger } from '../../../gen/laurel/v1/trigger_pb.ts';
import { indexAccounts } from '../../accounts/account-index.ts';
import { accountNotFound, parseAccountRef } from '../../accounts/resolving/account-ref.ts';
import { selectAccounts, type WantedAccount } from '../../accounts/accounts.queries.ts';
import { createUnknownAccounts } from '../../accounts/resolving/resolve-accounts.ts';
import type { Catalogs, ClientCatalog } from '../../campaigns/catalog/catalog.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { newId } from '../../kernel/ids.ts';
import { type OperationClaim, secondUseKey } from '../../idempotency/claim.ts';
import { refusalOf } from '../../idempotency/once.ts';
import { type ClaimOutcome, lookUpOperations } from '../../idempotency/operations.queries.ts';
import { OperationTaken } from '../../idempotency/operation-taken.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { eventOf } from '../event-of.ts';
import { claimOfTrigger, scopeOf } from '../trigger-claim.ts';
import { insertTriggers, knownTriggers, requeueTriggers } from './inbox.queries.ts';
import { storedTrigger, type StoredTrigger, triggerOf } from './waiting-trigger.ts';

/** A trigger that has arrived. */
export type Arrival = {
  readonly trigger: Trigger;
  /** The default of `occurredAt`, and the time against which it is checked. */
  readonly acceptedAt: Date;
};

/** The answer to an arrival, and whether its operation id was accepted or applied before. */
export type Acceptance = { readonly repeated: boolean };

type Answer = Acceptance | DomainError;

/** An arrival without an answer. */
type Open = Arrival & { readonly index: number; readonly claim: OperationClaim | undefined };

/**
 * Accepts a batch of one client's triggers. It refuses the triggers that a synchronous call would refuse, stores the others in the given
 * order, and then creates their unknown external accounts. Accounts come last, because operation ids are locked before accounts. The number
 * of statements does not grow with the batch.
 * @throws OperationTaken for an operation id that took effect meanwhile; no trigger is stored
 * @returns one answer per arrival, in order; a faulty trigger does not fail its neighbours
 */
export async function acceptTriggers(
  uow: UnitOfWork,
  catalogs: Catalogs,
  arrivals: readonly Arrival[],
): Promise<Answer[]> {
  const answers = new Array<Answer>(arrivals.length);
  const all = arrivals.map((arrival, index): Open => ({ ...arrival, index, claim: claimOfTrigger(arrival.trigger) }));
  const catalog = await catalogs(uow);
  const open = await settleFinished(uow, all, answers);
  const { valid: firstValid, refused } = await validate(uow, open, catalog);
  if (refused.length > 0) await refuse(uow, refused, answers);
  let valid = firstValid;
  const accepted: Valid[] = [];
  while (valid.length > 0) {
    const stored = await insertTriggers(uow, valid);
    for (const arrival of valid) {
      if (!stored.has(arrival.id)) continue;
      answers[arrival.index] = { repeated: false };
      accepted.push(arrival);
    }
    // The insertion skipped these: their ids are in this batch already, were just stored by another process, or belong to another event.
    const passedOver = valid.filter(({ index }) => answers[index] === undefined);
    const others = await settleWaiting(uow, passedOver, answers);
    valid = others.map((arrival) => ({ ...arrival, key: secondUseKey(arrival.claim!.scope, arrival.operationId!) }));
  }
  await Promise.all([notTakenMeanwhile(uow, accepted), createUnknownAccounts(uow, accepted.flatMap(externalAccount))]);
  return answers;
}

/**
 * Checks that no stored operation id took effect meanwhile. If the first event of an id is being applied, the insertion of its repeat waits
 * until that row is gone; by then the operation is stored.
 * @throws OperationTaken so that a second attempt finds the answer
 */
async function notTakenMeanwhile(uow: UnitOfWork, accepted: readonly Valid[]): Promise<void> {
  const claims = accepted.filter(hasClaim).map(claimOfArrival);
  const outcomes = await lookUpOperations(uow, claims);
  const taken = outcomes.findIndex(({ state }) => state !== 'free');
  if (taken >= 0) throw new OperationTaken(claims[taken]!.operationId);
}

function externalAccount({ idType, accountId, acceptedAt }: Valid): WantedAccount[] {
  return idType === 'EXTERNAL' ? [{ externalId: accountId, createdAt: acceptedAt }] : [];
}

/**
 * Answers the arrivals whose operation ids took effect, and returns the others. The inbox is not read: the insertion conflicts with waiting
 * rows without a risky query plan. If several events use one id, the claim at the end decides.
 */
async function settleFinished(uow: UnitOfWork, open: readonly Open[], answers: Answer[]): Promise<Open[]> {
  const claimed = open.filter(hasClaim);
  const outcomes = await lookUpOperations(uow, claimed.map(claimOfArrival));
  const secondUses: Claimed[] = [];
  for (const [index, arrival] of claimed.entries()) {
    const outcome = outcomes[index]!;
    if (outcome.state === 'free' && outcome.mayBeSecondUse) secondUses.push(arrival);
    else settle(arrival, outcome.state, answers);
  }
  // The key of such a trigger in the inbox need not be the id itself.
  if (secondUses.length > 0) await settleWaiting(uow, secondUses, answers);
  return open.filter(({ index }) => answers[index] === undefined);
}

/** Answers the arrivals whose operation ids took effect or wait in the inbox, and returns the others. */
async function settleWaiting<T extends Open>(uow: UnitOfWork, open: readonly T[], answers: Answer[]): Promise<T[]> {
  const claimed = open.filter(hasClaim);
  const claims = claimed.map(claimOfArrival);
  const [waiting, finished] = await Promise.all([waitingOutcomes(uow, claims), lookUpOperations(uow, claims)]);
  for (const [index, arrival] of claimed.entries()) {
    const { state } = finished[index]!;
    settle(arrival, state === 'free' ? waiting(arrival.claim) : state, answers);
  }
  return open.filter(({ index }) => answers[index] === undefined);
}

/** Answers one arrival, unless its operation id is free. */
function settle({ index, claim }: Claimed, state: ClaimOutcome['state'], answers: Answer[]): void {
  if (state === 'done') answers[index] = { repeated: true };
  else if (state === 'reused' || state === 'erased') answers[index] = refusalOf({ state }, claim.operationId)!;
}

type Claimed = Open & { readonly claim: OperationClaim };

function hasClaim<T extends Open>(arrival: T): arrival is T & Claimed {
  return arrival.claim !== undefined;
}

function claimOfArrival({ claim }: Claimed): OperationClaim {
  return claim;
}

/** The results of claims in the inbox. A repeat of a dead trigger puts it back in the queue. */
async function waitingOutcomes(
  uow: UnitOfWork,
  claims: readonly OperationClaim[],
): Promise<(claim: OperationClaim) => ClaimOutcome['state']> {
  const known = await knownTriggers(uow, claims);
  const byOperation = new Map(known.map((trigger) => [secondUseKey(scopeOf(trigger), trigger.operationId!), trigger]));
  const stateOf = ({ operationId, scope, fingerprint }: OperationClaim) => {
    const trigger = byOperation.get(secondUseKey(scope, operationId));
    if (trigger === undefined) return 'free';
    return claimOfTrigger(triggerOf(trigger))!.fingerprint.equals(fingerprint) ? 'done' : 'reused';
  };
  const again = claims.flatMap((claim) => {
    const trigger = byOperation.get(secondUseKey(claim.scope, claim.operationId));
    return trigger?.dead && stateOf(claim) === 'done' ? [trigger.id] : [];
  });
  await requeueTriggers(uow, again);
  return stateOf;
}

/** A row to store; `key` is its operation id, or the second-use key if another event has the id. */
type Valid = Open & StoredTrigger & { readonly id: string; readonly key: string | null };

/** An arrival that can never be applied. */
type Refused = Open & { readonly error: DomainError };

/** Separates arrivals that can be applied, as rows with ids in the order of arrival, from the others. */
async function validate(
  uow: UnitOfWork,
  open: readonly Open[],
  catalog: ClientCatalog,
): Promise<{ readonly valid: Valid[]; readonly refused: Refused[] }> {
  const valid: Valid[] = [];
  const refused: Refused[] = [];
  const internalIds = new Map<Valid, string>();
  for (const arrival of open) {
    const { trigger, acceptedAt } = arrival;
    try {
      const { occurredAt } = eventOf(trigger, catalog, acceptedAt);
      const key = parseAccountRef({ accountId: trigger.accountId, idType: trigger.idType });
      const stored = storedTrigger(trigger, new Date(occurredAt));
      const row = { ...arrival, ...stored, id: newId(), key: stored.operationId };
      if ('id' in key) internalIds.set(row, key.id);
      valid.push(row);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refused.push({ ...arrival, error });
    }
  }
  if (internalIds.size === 0) return { valid, refused };
  const accounts = await selectAccounts(uow, { ids: [...new Set(internalIds.values())], externalIds: [] });
  const { find } = indexAccounts(accounts);
  const unknown = new Set<Valid>();
  for (const [row, id] of internalIds) {
    if (find({ id })) continue;
    unknown.add(row);
    refused.push({ ...row, error: accountNotFound({ id }) });
  }
  return { valid: valid.filter((row) => !unknown.has(row)), refused };
}

/** Refuses arrivals, unless they repeat an accepted trigger that could be applied at that time. */
async function refuse(uow: UnitOfWork, refused: readonly Refused[], answers: Answer[]): Promise<void> {
  for (const { index, error } of await settleWaiting(uow, refused, answers)) answers[index] = error;
}
