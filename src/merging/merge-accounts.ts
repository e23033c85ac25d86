import type { JsonObject } from '@bufbuild/protobuf';
import { create, type MessageInitShape, toJsonString } from '@bufbuild/protobuf';
import { AccountMerge_Progress, MergedAmountsSchema } from '../../gen/laurel/v1/account_merge_pb.ts';
import {
  AccountMergeService,
  type MergeAccountsRequest,
  type MergeAccountsResponse,
  MergeAccountsResponseSchema,
} from '../../gen/laurel/v1/account_merge_service_pb.ts';
import { AccountSchema } from '../../gen/laurel/v1/account_pb.ts';
import { AccountsMergedSchema } from '../../gen/laurel/v1/change_pb.ts';
import { type Account, toAccountMessage } from '../accounts/account.ts';
import { requireAccounts, suspension } from '../accounts/accounts-of-batch.ts';
import { becomeAlias } from '../accounts/resolving/aliases.queries.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import type { Call } from '../clients/call.ts';
import type { MergedProgress } from '../engine/assignment.ts';
import { namedAccount } from '../idempotency/content.ts';
import { idempotentCall } from '../idempotency/idempotent-call.ts';
import { amountFromDecimal, amountToNumber } from '../kernel/amount.ts';
import { badRequest, DomainError } from '../kernel/errors/domain-error.ts';
import { newId } from '../kernel/ids.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { insertInto } from '../persistence/insert-into.ts';
import type { AccountPart, MergedPair } from '../persistence/subjects/account-part.ts';
import { digestOf } from '../persistence/subjects/merged-rows.ts';
import { answeredRewards } from '../rewards/delivery/answered-rewards.ts';
import { mergePieces } from '../rewards/fragments/merge-pieces.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import { wakeAfter } from '../webhooks/delivery/wake-after.ts';
import { enqueueWebhooks } from '../webhooks/outbox/enqueue-webhooks.ts';
import { accountMergeTable } from './account-merge.entity.ts';
import { combineProgress, runsBefore } from './combine-progress.ts';
import { mergedMissionMessage } from './merge-message.ts';

/** The dependencies of merges. */
export type MergingOptions = {
  readonly catalogs: Catalogs;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  /** The data that every module keeps about an account. */
  readonly parts: readonly AccountPart[];
};

/** Writes the row of a merge: by SQL, because the kept ids of large accounts are long, and MikroORM would quote each. */
const insertMerges = insertInto(accountMergeTable, { shared: ['kept'] });

/** The data that an undo needs. */
export type KeptMerge = {
  /** The data that each part gives back, by its name. */
  readonly parts: JsonObject;
  /** The digests of the rows of the account that stays, by the names of parts: a change of them makes an undo impossible. */
  readonly digests: Readonly<Record<string, string>>;
  /** The assignments of the merged account, each with the one that replaced it, and the rounds before its own if there were any. */
  readonly renamed: readonly (readonly [from: string, to: string, roundsBefore?: number])[];
  /** The aliases that the merged account had. */
  readonly aliases: readonly string[];
};

/** Merges one account into another: proto AccountMergeService.MergeAccounts. */
export async function mergeAccounts(
  call: Call,
  request: MergeAccountsRequest,
  options: MergingOptions,
): Promise<MergeAccountsResponse> {
  const { accountId, intoAccountId, idType, operationId, dryRun, progress } = request;
  const how: MergedProgress = progress === AccountMerge_Progress.SUM ? 'SUM' : 'MAX';
  const work = (uow: UnitOfWork) => merge(uow, call, request, { ...options, how });
  if (dryRun) {
    const answer = await call.db.rehearse(call.principal.clientId, work);
    return create(MergeAccountsResponseSchema, { ...answer, mergeId: undefined });
  }
  const { method } = AccountMergeService;
  const content = [...namedAccount(idType, accountId), ...namedAccount(idType, intoAccountId), how] as const;
  const key = { operationId, content: [method.mergeAccounts.name, ...content] as const };
  return idempotentCall(call, key, MergeAccountsResponseSchema, async (uow) => {
    const answer = await work(uow);
    const wake = wakeAfter(uow, options.dispatcher);
    if (wake) call.afterResponse(wake);
    return answer;
  });
}

async function merge(
  uow: UnitOfWork,
  { principal, now }: Call,
  { accountId, intoAccountId, idType, operationId, progress }: MergeAccountsRequest,
  { catalogs, parts, how }: MergingOptions & { readonly how: MergedProgress },
): Promise<MessageInitShape<typeof MergeAccountsResponseSchema>> {
  const catalog = await catalogs(uow);
  const found = await requireAccounts(
    uow,
    [
      { accountId, idType },
      { intoAccountId, idType },
    ],
    'removal',
  );
  const [from, into] = found.map(mergeable);
  if (from!.id === into!.id)
    throw badRequest('`accountId` and `intoAccountId` name one account: there is nothing to merge.');
  const pair = { from: from!.id, into: into!.id };
  const mergeId = newId();
  const past = await runsBefore(uow, catalog, { from: from!, into: into! }, now);
  const kept = await joinParts(uow, parts, pair);
  await settleParts(uow, parts, pair, now);
  const progressed = await combineProgress(
    uow,
    catalog,
    { from: from!, into: into! },
    { how, before: past, operationId, now },
  );
  const units = await mergePieces(uow, pair, mergeId, now);
  const aliases = await becomeAlias(uow, from!.id, into!.id, now);
  const hasPaid = progressed.hasPaid || units > 0;
  const renamed = progressed.renamed.map(({ from: id, to, roundsBefore }) => [id, to, roundsBefore] as const);
  const undo: KeptMerge = { parts: kept, digests: await digestsOf(uow, parts, into!.id), renamed, aliases };
  const merged = {
    ...{ id: mergeId, accountId: from!.id, externalId: from!.externalId ?? null, intoAccountId: into!.id },
    ...{ progress: how, operationId: operationId || null, mergedAt: now, undoneAt: null },
    ...{ hasPaid, kept: hasPaid ? null : (undo as unknown as JsonObject) },
  };
  await insertMerges(uow, [merged]);
  const operation = AccountMergeService.method.mergeAccounts;
  const [before, after] = [{ id: from!.id }, { id: into!.id }];
  await recordChange(uow, principal, { operation, schema: AccountSchema, id: into!.id, before, after, note: how });
  await announceMerge(uow, { mergeId, from: from!, into: into!, progress, operationId });
  return {
    mergeId,
    account: toAccountMessage(into!),
    moved: movedMessage(kept),
    missions: progressed.missions.map((mission) => mergedMissionMessage(catalog, mission)),
    completedCampaignIds: progressed.completedCampaignIds,
    ...answeredRewards(progressed.outcomes),
    undoable: !hasPaid,
  };
}

/** @throws DomainError for an account that cannot be merged */
function mergeable(found: Account | DomainError): Account {
  if (found instanceof DomainError) throw found;
  const refusal = suspension(found);
  if (refusal) throw refusal;
  return found;
}

/** Brings what follows from other parts up to date, after a merge or its undo. */
export async function settleParts(
  uow: UnitOfWork,
  parts: readonly AccountPart[],
  pair: MergedPair,
  now: Date,
): Promise<void> {
  for (const { merging } of parts) if (merging.kind === 'joins') await merging.settle?.(uow, pair, now);
}

async function joinParts(uow: UnitOfWork, parts: readonly AccountPart[], pair: MergedPair): Promise<JsonObject> {
  const kept: JsonObject = {};
  for (const { name, merging } of parts) if (merging.kind === 'joins') kept[name] = await merging.join(uow, pair);
  return kept;
}

/** The digests of the rows of an account whose change makes an undo impossible, by the names of their parts. */
export async function digestsOf(
  uow: UnitOfWork,
  parts: readonly AccountPart[],
  accountId: string,
): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const { name, table, merging } of parts)
    if (merging.kind === 'joins' && merging.changedBy !== undefined)
      digests[name] = await digestOf(uow, table, accountId, merging.decidedBy);
  return digests;
}

/** Announces a merge, or its undo, to the endpoints that receive it. */
export async function announceMerge(
  uow: UnitOfWork,
  merge: {
    readonly mergeId: string;
    readonly from: Pick<Account, 'id' | 'externalId'>;
    readonly into: Pick<Account, 'id' | 'externalId'>;
    readonly progress: AccountMerge_Progress;
    readonly operationId: string;
    readonly undone?: true;
  },
): Promise<void> {
  const { mergeId, from, into, progress, operationId, undone } = merge;
  const change = create(AccountsMergedSchema, {
    ...{ mergeId, accountId: from.id, externalId: from.externalId, intoAccountId: into.id },
    ...{ intoExternalId: into.externalId, progress, operationId: operationId || undefined, undone },
  });
  await enqueueWebhooks(uow, [
    { kind: 'ACCOUNTS_MERGED', json: toJsonString(AccountsMergedSchema, change, { alwaysEmitImplicit: true }) },
  ]);
}

/** The numbers of what the merged account had. */
function movedMessage(kept: JsonObject): MessageInitShape<typeof MergedAmountsSchema> {
  const countOf = (name: string) => (kept[name] as unknown[]).length;
  const { available, debt } = kept['points'] as { available: string; debt: string };
  const owed = amountFromDecimal(debt);
  return {
    points: amountToNumber(amountFromDecimal(available)),
    debt: owed > 0n ? amountToNumber(owed) : undefined,
    earnedRewards: countOf('earnedRewards'),
    chests: countOf('chests'),
    redemptions: countOf('redemptions'),
    reservations: countOf('reservations'),
  };
}
