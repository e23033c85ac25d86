import type { MessageInitShape } from '@bufbuild/protobuf';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import type { ResolveAccountRequest, ResolveAccountResponseSchema } from '../../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toAccountMessage } from '../account.ts';
import { findOrCreateAccount } from './resolve-accounts.ts';

/** Returns the account of an external id, and creates it if necessary: proto AccountService.ResolveAccount. */
export function resolveAccount(
  { db, principal, clock }: Call,
  { externalId }: ResolveAccountRequest,
): Promise<MessageInitShape<typeof ResolveAccountResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const ref = { externalId, idType: Account_IdType.EXTERNAL };
    return { account: toAccountMessage(await findOrCreateAccount(uow, ref, { now: clock() })) };
  });
}
