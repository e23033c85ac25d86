import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CreateAccountRequest, CreateAccountResponseSchema } from '../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { newId } from '../kernel/ids.ts';
import { mergedAttributes } from './account-attributes.ts';
import { checkedTexts } from './account-texts.ts';
import { accountTable } from './account.entity.ts';
import { toAccountMessage } from './account.ts';
import { requireEmailAddress } from './email-address.ts';
import { flushAccount } from './lock-account.ts';

/** Creates an account: proto AccountService.CreateAccount. */
export function createAccount(
  { db, principal, clock }: Call,
  request: CreateAccountRequest,
): Promise<MessageInitShape<typeof CreateAccountResponseSchema>> {
  const texts = checkedTexts(request);
  requireEmailAddress(texts.email);
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { attributes } = await mergedAttributes(uow, null, request.attributes ?? null);
    const now = clock();
    const account = uow.em.create(accountTable, {
      clientId: uow.clientId,
      id: newId(),
      ...texts,
      attributes,
      createdAt: now,
      updatedAt: now,
    });
    await flushAccount(uow, account);
    return { account: toAccountMessage(account) };
  });
}
