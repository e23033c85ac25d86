import { randomBytes } from 'node:crypto';
import { create, type Message } from '@bufbuild/protobuf';
import { OpenChestResponseSchema } from '../../../gen/laurel/v1/chest_service_pb.ts';
import type { AccountRef } from '../../accounts/resolving/account-ref.ts';
import { activeAccountsToChange } from '../../accounts/accounts-of-batch.ts';
import type { Account } from '../../accounts/account.ts';
import { addToFeed } from '../../changes/collect-changes.ts';
import { type ChestRoll, rollChest } from '../../engine/chest-roll.ts';
import {
  type BatchTimes,
  type CallBatcher,
  type CallBatcherOptions,
  createCallBatcher,
} from '../../idempotency/call-batcher.ts';
import { amongRefusals, DomainError, isGranted } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { loadRewards } from '../definitions/rewards.queries.ts';
import { answeredRewards } from '../delivery/answered-rewards.ts';
import type { OrderOutcome } from '../delivery/earned-reward.ts';
import { deliverSeparately } from '../delivery/deliver-rewards.ts';
import { chestDefinitionsById } from './chest-definitions.queries.ts';
import { type Chest, toChestMessage } from './chest-message.ts';
import { chestOpened } from './chest-opened.ts';
import { findChests, markOpened } from './chests.queries.ts';

/** A request to open a chest. */
export type Opening = {
  /** The id of the chest in lower case. */
  readonly chestId: string;
  readonly account: AccountRef;
  /** The operation id for the points ledger; empty without one. */
  readonly operationId: string;
};

/** Opens chests by group commit. */
export type ChestBatcher = CallBatcher<Opening>;

/** Counts what accounts have earned, for statistics and leaderboards; the modules above know them. */
export type CountEarned = (uow: UnitOfWork, outcomes: readonly OrderOutcome[], now: Date) => Promise<void>;

/** Opens the chests of this process. */
export function createChestBatcher({
  countEarned,
  ...options
}: Omit<CallBatcherOptions<Opening>, 'run'> & { readonly countEarned: CountEarned }): ChestBatcher {
  const run = async (uow: UnitOfWork, openings: readonly Opening[], times: BatchTimes) => ({
    answers: await openChests(uow, openings, times, countEarned),
  });
  return createCallBatcher({ ...options, run });
}

type Opened = { readonly chest: Chest; readonly roll: ChestRoll; readonly operationId: string };

/**
 * Opens chests of one client in one transaction, in order: draws, stores the draws, delivers the contents. The number of statements does
 * not grow with the chests.
 * @returns one answer or refusal for each chest
 */
export async function openChests(
  uow: UnitOfWork,
  openings: readonly Opening[],
  { now, lockWaitMs }: BatchTimes,
  countEarned: CountEarned,
): Promise<Array<Message | DomainError>> {
  const accounts = await activeAccountsToChange(
    uow,
    openings.map(({ account }) => account),
    lockWaitMs,
  );
  const chests = await chestsNamed(uow, openings, accounts);
  const definitions = await chestDefinitionsById(
    uow,
    [...chests.values()].map(({ chestId }) => chestId),
  );
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));

  function open({ chestId, operationId }: Opening, account: Account | DomainError): Opened | DomainError {
    if (account instanceof DomainError) return account;
    const chest = chests.get(chestId);
    if (chest === undefined || chest.accountId !== account.id) return chestNotFound(chestId);
    if (chest.opened !== undefined) return alreadyOpened(chest.opened.at);
    const roll = rollChest(byId.get(chest.chestId)!, newSeed());
    const opened = { ...chest, opened: { at: now, roll } };
    // A later opening of the same chest in the batch finds it open.
    chests.set(chestId, opened);
    return { chest: opened, roll, operationId };
  }

  const results = openings.map((opening, index) => open(opening, accounts[index]!));
  const opened = results.filter(isGranted);
  await markOpened(
    uow,
    opened.map(({ chest, roll }) => ({ id: chest.id, roll })),
    now,
  );
  addToFeed(uow, () => opened.map(({ chest }) => chestOpened(chest)));
  const outcomes = await deliverSeparately(uow, await ordersOf(uow, opened, now), accounts.filter(isGranted));
  await countEarned(uow, outcomes.flat(), now);
  const answers = opened.map(({ chest }, index) =>
    create(OpenChestResponseSchema, {
      opened: { chest: toChestMessage(chest), ...answeredRewards(outcomes[index]!) },
    }),
  );
  return amongRefusals(results, answers);
}

async function chestsNamed(
  uow: UnitOfWork,
  openings: readonly Opening[],
  accounts: ReadonlyArray<Account | DomainError>,
): Promise<Map<string, Chest>> {
  const named = openings.flatMap(({ chestId }, index) => {
    const account = accounts[index]!;
    return account instanceof DomainError ? [] : [{ accountId: account.id, id: chestId }];
  });
  return new Map((await findChests(uow, named)).map((chest) => [chest.id, chest]));
}

/** The contents of each chest, as orders of its account. */
async function ordersOf(uow: UnitOfWork, opened: readonly Opened[], now: Date) {
  const drawn = opened.map(({ roll }) => roll.entries.filter((entry) => entry.drawn).map((entry) => entry.rewardId));
  const ids = drawn.flat();
  const rewards = ids.length === 0 ? new Map() : await loadRewards(uow, ids);
  return opened.map(({ chest: { accountId }, operationId }, index) =>
    drawn[index]!.flatMap((id) => {
      const reward = rewards.get(id);
      return reward ? [{ accountId, reward, operationId: operationId || undefined, now }] : [];
    }),
  );
}

/** 128 bits from the system's secure source: a draw cannot be predicted, even from all earlier draws. */
function newSeed(): string {
  return randomBytes(16).toString('hex');
}

function chestNotFound(id: string): DomainError {
  return new DomainError('CHEST_NOT_FOUND', sentence`The account has no chest ${id}.`);
}

function alreadyOpened(at: Date): DomainError {
  const message = sentence`The chest was opened at ${at}. What it held is among the account's earned rewards.`;
  return new DomainError('CHEST_ALREADY_OPENED', message);
}
