import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AccountChanges,
  AccountChangesSchema,
  type UpdateAccountRequest,
  type UpdateAccountResponseSchema,
} from '../../gen/laurel/v1/account_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { unchangeable } from '../kernel/update-mask.ts';
import { isUniqueViolation } from '../persistence/connections/failures.ts';
import { checkedAttributes, externalIdTaken } from './account-attributes.ts';
import { toAccountMessage } from './account.ts';
import { type AccountAttributes, updateAttributes } from './accounts.queries.ts';
import { requireEmailAddress } from './email-address.ts';
import { requireAccount } from './resolve-accounts.ts';

/** Changes the attributes that are sent: proto AccountService.UpdateAccount. */
export function updateAccount(
  { db, principal, clock }: Call,
  request: UpdateAccountRequest,
): Promise<MessageInitShape<typeof UpdateAccountResponseSchema>> {
  const changes = changesOf(request);
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await requireAccount(uow, request, 'change');
    requireEmailAddress(changes.email, account.email);
    const wanted = { ...account, ...changes };
    const isSame = Object.keys(changes).every((key) => isAttribute(key) && wanted[key] === account[key]);
    if (isSame) return { account: toAccountMessage(account) };
    const changed = await updateAttributes(uow, account.id, wanted, clock()).catch((error: unknown) => {
      throw isUniqueViolation(error, 'account_external_id_unique') ? externalIdTaken(wanted.externalId!) : error;
    });
    return { account: toAccountMessage(changed) };
  });
}

/** The attributes to write, by name; undefined clears one. */
function changesOf({ account, updateMask }: UpdateAccountRequest): Partial<AccountAttributes> {
  const sent: Partial<AccountChanges> = account ?? {};
  const attributes = checkedAttributes(sent);
  const masked = updateMask?.paths.map(attributeOfPath) ?? [];
  const names = masked.length > 0 ? masked : ATTRIBUTES.filter((name) => sent[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, attributes[name]]));
}

const ATTRIBUTES: readonly (keyof AccountAttributes)[] = ['externalId', 'email', 'name', 'timeZone'];

function isAttribute(name: string): name is keyof AccountAttributes {
  return (ATTRIBUTES as readonly string[]).includes(name);
}

/** A mask names fields as the proto does. */
function attributeOfPath(path: string): keyof AccountAttributes {
  const name = AccountChangesSchema.fields.find((field) => field.name === path)?.localName ?? '';
  if (isAttribute(name)) return name;
  throw unchangeable(path, ATTRIBUTES);
}
