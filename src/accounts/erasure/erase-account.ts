import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EraseAccountRequest, EraseAccountResponseSchema } from '../../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import type { AccountPart, Subject } from '../../persistence/subjects/account-part.ts';
import type { AccountRef } from '../resolving/account-ref.ts';
import { aliasesOf } from '../resolving/aliases.queries.ts';
import { eraseRow, lockForErasure } from '../accounts.queries.ts';
import type { AccountReleaser } from '../delete-account.ts';
import { openErasure } from './erasures.queries.ts';
import { finishErasure } from './finish-erasures.ts';
import { subjectOf } from '../resolving/subject.ts';

/** Milliseconds of sweeping within the call. For an ordinary client this is enough. */
const IN_CALL_MS = 1_000;

/** The data of all modules to erase with an account. */
export type EraseOptions = {
  readonly parts: readonly AccountPart[];
  readonly releasers: readonly AccountReleaser[];
};

/** Removes an account and its identifying data: proto AccountService.EraseAccount. */
export async function eraseAccount(
  { db, principal, clock }: Call,
  request: EraseAccountRequest,
  options: EraseOptions,
): Promise<MessageInitShape<typeof EraseAccountResponseSchema>> {
  const { clientId } = principal;
  const accountId = await db.unitOfWork(clientId, (uow) => eraseLockedAccount(uow, request, options, clock));
  await sweepErased(db, clientId, accountId, options, clock);
  return {};
}

/**
 * Removes an account and its identifying data in the caller's transaction. Returns its internal id. Call `sweepErased` after its commit.
 * @throws DomainError `BAD_REQUEST`, `ACCOUNT_NOT_FOUND`
 */
export async function eraseLockedAccount(
  uow: UnitOfWork,
  ref: AccountRef,
  { parts, releasers }: EraseOptions,
  clock: Clock,
): Promise<string> {
  const atOnce = parts.map(({ erasure }) => erasure).filter((erasure) => erasure.kind === 'atOnce');
  const beforeHeld = atOnce.filter((erasure) => erasure.beforeHeld);
  const subject = await subjectOf(uow, ref);
  for (const each of await withAliases(uow, subject)) for (const { erase } of beforeHeld) await erase(uow, each);
  const now = clock();
  const held = await lockForErasure(uow, subject.accountId);
  // Under the lock no account is merged into it any more. Its ids may have changed since its waiting events were erased.
  const all = await withAliases(uow, held);
  for (const each of all) for (const { erase } of beforeHeld) await erase(uow, each);
  for (const { accountId } of all) {
    await eraseRow(uow, accountId, now);
    for (const erasure of atOnce) if (!erasure.beforeHeld) await erasure.erase(uow, { accountId });
    await openErasure(uow, accountId, now);
  }
  for (const release of releasers) await release(uow, subject.accountId, now);
  return subject.accountId;
}

/** An account, and the accounts that were merged into it, whose rows are data about it. */
async function withAliases(uow: UnitOfWork, subject: Subject): Promise<Subject[]> {
  return [subject, ...(await aliasesOf(uow, subject.accountId))];
}

/**
 * Scans for one second for data of an erased account that no index finds. A scheduled job continues with the rest, also after a failure,
 * because the erasure is stored.
 */
export async function sweepErased(
  db: Database,
  clientId: string,
  accountId: string,
  { parts }: EraseOptions,
  clock: Clock,
): Promise<void> {
  await finishErasure(db, clientId, accountId, { parts, clock, forMs: IN_CALL_MS }).catch(() => {});
}
