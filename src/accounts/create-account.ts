import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CreateAccountRequest, CreateAccountResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { newId } from '../kernel/ids.ts';
import { checkedAttributes, externalIdTaken } from './account-attributes.ts';
import { toAccountMessage } from './account.ts';
import { insertAccount } from './accounts.queries.ts';
import { requireEmailAddress } from './email-address.ts';

/** Creates an account: proto AccountService.CreateAccount. */
export function createAccount(
  { db, principal, clock }: Call,
  request: CreateAccountRequest,
): Promise<MessageInitShape<typeof CreateAccountResponseSchema>> {
  const attributes = checkedAttributes(request);
  requireEmailAddress(attributes.email);
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await insertAccount(uow, newId(), attributes, clock());
    if (account === undefined) throw externalIdTaken(attributes.externalId!);
    return { account: toAccountMessage(account) };
  });
}
