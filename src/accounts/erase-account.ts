import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EraseAccountRequest, EraseAccountResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../clients/call.ts';
import type { AccountPart } from '../persistence/subjects/account-part.ts';
import { eraseRow, holdToErase } from './accounts.queries.ts';
import type { AccountReleaser } from './delete-account.ts';
import { openErasure } from './erasures.queries.ts';
import { finishErasure } from './finish-erasures.ts';
import { subjectOf } from './subject.ts';

/** Milliseconds for which the call itself sweeps: an ordinary client's rows are done by then. */
const IN_CALL_MS = 1_000;

type EraseOptions = {
  readonly parts: readonly AccountPart[];
  readonly releasers: readonly AccountReleaser[];
};

/** Removes an account and what tells whose it was: proto AccountService.EraseAccount. */
export async function eraseAccount(
  { db, principal, clock }: Call,
  request: EraseAccountRequest,
  { parts, releasers }: EraseOptions,
): Promise<MessageInitShape<typeof EraseAccountResponseSchema>> {
  const { clientId } = principal;
  const atOnce = parts.map(({ erasure }) => erasure).filter((erasure) => erasure.kind === 'atOnce');
  const beforeHeld = atOnce.filter((erasure) => erasure.beforeHeld);
  const accountId = await db.unitOfWork(clientId, async (uow) => {
    const subject = await subjectOf(uow, request);
    for (const { erase } of beforeHeld) await erase(uow, subject);
    const now = clock();
    const held = await holdToErase(uow, subject.accountId);
    // It was called otherwise when its waiting events went.
    if (held.externalId !== subject.externalId) for (const { erase } of beforeHeld) await erase(uow, held);
    await eraseRow(uow, subject.accountId, now);
    for (const erasure of atOnce) if (!erasure.beforeHeld) await erasure.erase(uow, subject);
    for (const release of releasers) await release(uow, subject.accountId, now);
    await openErasure(uow, subject.accountId, now);
    return subject.accountId;
  });
  // Most of it is gone when the call is answered. What is left, also where this fails, housekeeping does: the erasure is stored.
  await finishErasure(db, clientId, accountId, { parts, clock, forMs: IN_CALL_MS }).catch(() => {});
  return {};
}
