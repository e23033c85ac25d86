import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AccountAttributeAdminService,
  AccountAttributesSchema,
  type UpdateAccountAttributesRequest,
  type UpdateAccountAttributesResponseSchema,
} from '../../../gen/laurel/admin/v1/account_attribute_admin_service_pb.ts';
import { changedAttributes, storedAttributes } from '../../attributes/attribute-definition.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { declaredAttributes, replaceDeclaredAttributes } from '../../clients/account-attributes.ts';
import type { Call } from '../../clients/call.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { requireUnusedAttributes } from '../attributes-in-use.ts';
import { toAccountAttributesMessage } from './get-account-attributes.ts';

/** Replaces the declared attributes of accounts: proto AccountAttributeAdminService.UpdateAccountAttributes. */
export async function updateAccountAttributes(
  { db, principal, clock }: Call,
  { version, attributes }: UpdateAccountAttributesRequest,
): Promise<MessageInitShape<typeof UpdateAccountAttributesResponseSchema>> {
  const stored = storedAttributes(attributes, 'attributes');
  const required = stored.findIndex((attribute) => attribute.required);
  if (required >= 0) {
    throw badRequest(
      sentence`${`attributes[${required}].required`} is for events: accounts exist without the attribute. Leave it out.`,
    );
  }
  const change = {
    operation: AccountAttributeAdminService.method.updateAccountAttributes,
    schema: AccountAttributesSchema,
  };
  const { after } = await changeCatalog(db, principal, change, async (uow) => {
    const declared = await declaredAttributes(uow);
    const id = uow.clientId;
    await requireVersion(uow, AccountAttributesSchema, { id, version: declared.version }, version);
    const gone = changedAttributes(declared.attributes, stored).map(({ name }) => `account.${name}`);
    await requireUnusedAttributes(uow, gone, clock());
    const before = toAccountAttributesMessage(declared);
    const after = toAccountAttributesMessage(await replaceDeclaredAttributes(uow, stored));
    return { id, before, after };
  });
  return { accountAttributes: after };
}
