import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CreateAccountRequest, CreateAccountResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { newId } from '../kernel/ids.ts';
import { checkedAttributes } from './account-attributes.ts';
import { accountTable } from './account.entity.ts';
import { toAccountMessage } from './account.ts';
import { requireEmailAddress } from './email-address.ts';
import { flushAccount } from './lock-account.ts';

/** Creates an account: proto AccountService.CreateAccount. */
export function createAccount(
  { db, principal, clock }: Call,
  request: CreateAccountRequest,
): Promise<MessageInitShape<typeof CreateAccountResponseSchema>> {
  const attributes = checkedAttributes(request);
  requireEmailAddress(attributes.email);
  return db.unitOfWork(principal.clientId, async (uow) => {
    const now = clock();
    const account = uow.em.create(accountTable, {
      clientId: uow.clientId,
      id: newId(),
      ...attributes,
      createdAt: now,
      updatedAt: now,
    });
    await flushAccount(uow, account);
    return { account: toAccountMessage(account) };
  });
}
