import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  AccountAttributesSchema,
  GetAccountAttributesResponseSchema,
} from '../../../gen/laurel/admin/v1/account_attribute_admin_service_pb.ts';
import { toAttributeMessage } from '../../attributes/attribute-definition.ts';
import { type DeclaredAttributes, declaredAttributes } from '../../clients/account-attributes.ts';
import type { Call } from '../../clients/call.ts';

/** Returns the declared attributes of accounts: proto AccountAttributeAdminService.GetAccountAttributes. */
export function getAccountAttributes({
  db,
  principal,
}: Call): Promise<MessageInitShape<typeof GetAccountAttributesResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => ({
    accountAttributes: toAccountAttributesMessage(await declaredAttributes(uow)),
  }));
}

/** The API message of a declaration. */
export function toAccountAttributesMessage({
  version,
  attributes,
}: DeclaredAttributes): MessageInitShape<typeof AccountAttributesSchema> {
  return { version, attributes: attributes.map(toAttributeMessage) };
}
