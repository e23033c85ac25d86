import { create, type JsonValue } from '@bufbuild/protobuf';
import { AccountMerge_Progress } from '../../gen/laurel/v1/account_merge_pb.ts';
import {
  AccountMergeService,
  type UndoAccountMergeRequest,
  type UndoAccountMergeResponse,
  UndoAccountMergeResponseSchema,
} from '../../gen/laurel/v1/account_merge_service_pb.ts';
import { AccountSchema } from '../../gen/laurel/v1/account_pb.ts';
import { becomeAccount, idsWithAliases } from '../accounts/resolving/aliases.queries.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount, uuid } from '../idempotency/content.ts';
import { idempotentCall } from '../idempotency/idempotent-call.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../kernel/sentence.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { ChangeCause } from '../persistence/subjects/account-part.ts';
import { returnRewards } from '../rewards/delivery/merge-rewards.queries.ts';
import { combinePieces } from '../rewards/fragments/merge-pieces.ts';
import { wakeAfter } from '../webhooks/delivery/wake-after.ts';
import { type AccountMergeEntity, accountMergeTable } from './account-merge.entity.ts';
import { settleParts, announceMerge, digestsOf, type KeptMerge, type MergingOptions } from './merge-accounts.ts';
import { toAccountMergeMessage, UNDOABLE_MS } from './merge-message.ts';

/** The causes of changes since a merge, as sentences that can be translated. */
const CAUSES: Readonly<Record<ChangeCause, Sentence>> = {
  'an event': sentence`an event`,
  points: sentence`points`,
  'a reward': sentence`a reward`,
  'a chest': sentence`a chest`,
  'a product': sentence`a product`,
  'a closing': sentence`a closing`,
  'a membership': sentence`a membership`,
  freezes: sentence`freezes`,
  vacations: sentence`vacations`,
};

/** Takes a merge back: proto AccountMergeService.UndoAccountMerge. */
export function undoAccountMerge(
  call: Call,
  request: UndoAccountMergeRequest,
  { parts, dispatcher }: MergingOptions,
): Promise<UndoAccountMergeResponse> {
  const { accountId, idType, mergeId, operationId } = request;
  const operation = AccountMergeService.method.undoAccountMerge;
  const content = [operation.name, ...namedAccount(idType, accountId), uuid(mergeId)] as const;
  return idempotentCall(call, { operationId, content }, UndoAccountMergeResponseSchema, async (uow) => {
    const into = await requireAccount(uow, { accountId, idType }, 'removal');
    const merge = await undoable(uow, into.id, mergeId.toLowerCase(), call.now);
    const kept = merge.kept as unknown as KeptMerge;
    const digests = await digestsOf(uow, parts, into.id);
    const changed = parts.find(({ name }) => digests[name] !== kept.digests[name]);
    const cause = changed?.merging.kind === 'joins' ? changed.merging.changedBy : undefined;
    if (cause !== undefined) throw notUndoable(sentence`since then came ${CAUSES[cause]}`);
    const pair = { from: merge.accountId, into: into.id };
    for (const { name, merging } of parts.toReversed())
      if (merging.kind === 'joins') await merging.separate(uow, pair, kept.parts[name] as JsonValue);
    await settleParts(uow, parts, pair, call.now);
    await returnRewards(
      uow,
      pair,
      kept.parts['earnedRewards']!,
      kept.renamed.map(([from, to, roundsBefore = 0]) => ({ from: to, to: from, roundsBefore: -roundsBefore })),
    );
    for (const id of [pair.from, pair.into]) await combinePieces(uow, id, merge.id, call.now);
    await becomeAccount(uow, pair.from, kept.aliases, call.now);
    uow.em.assign(merge, { undoneAt: call.now, kept: null });
    await uow.em.flush();
    const [before, after] = [{ id: into.id }, { id: pair.from }];
    await recordChange(uow, call.principal, { operation, schema: AccountSchema, id: into.id, before, after });
    const from = { id: pair.from, externalId: merge.externalId ?? undefined };
    const progress = AccountMerge_Progress[merge.progress];
    await announceMerge(uow, { mergeId: merge.id, from, into, progress, operationId, undone: true });
    const wake = wakeAfter(uow, dispatcher);
    if (wake) call.afterResponse(wake);
    return create(UndoAccountMergeResponseSchema, { merge: toAccountMergeMessage(merge) });
  });
}

/** @throws DomainError unless the merge is the latest one into the account, and can be undone */
async function undoable(uow: UnitOfWork, into: string, id: string, now: Date): Promise<AccountMergeEntity> {
  const merge = await uow.em.findOne(accountMergeTable, { clientId: uow.clientId, id });
  if (merge === null || !(await idsWithAliases(uow, into)).includes(merge.intoAccountId))
    throw new DomainError(
      'MERGE_NOT_FOUND',
      'No merge into this account has the id. GET /accounts/{accountId}/merges has the ids.',
    );
  const faults: readonly (readonly [boolean, Sentence])[] = [
    [merge.undoneAt !== null, sentence`it is undone already`],
    [merge.intoAccountId !== into, sentence`the account was merged into another one: undo that first`],
    [merge.hasPaid, sentence`it paid rewards or combined pieces`],
    [now.getTime() >= merge.mergedAt.getTime() + UNDOABLE_MS, sentence`it is more than 30 days old`],
    [await hasLater(uow, into, id), sentence`another account was merged into this one since: undo that first`],
    [merge.kept === null, sentence`it is more than 30 days old`],
  ];
  const fault = faults.find(([holds]) => holds);
  if (fault) throw notUndoable(fault[1]);
  return merge;
}

async function hasLater(uow: UnitOfWork, intoAccountId: string, id: string): Promise<boolean> {
  const where = { clientId: uow.clientId, intoAccountId, id: { $gt: id }, undoneAt: null };
  return (await uow.em.findOne(accountMergeTable, where)) !== null;
}

function notUndoable(why: Sentence): DomainError {
  return new DomainError(
    'MERGE_NOT_UNDOABLE',
    sentence`The merge cannot be undone: ${why}. Correct the accounts by hand.`,
  );
}
