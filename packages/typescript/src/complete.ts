import type { DescMessage, Message } from '@bufbuild/protobuf';
import type { Account_IdType } from './gen/laurel/v1/account_pb.ts';

/** A message whose fields are read and written by their names. */
type Holder = { readonly desc: DescMessage; readonly fields: Record<string, unknown> };

/**
 * Fills in what a request leaves out: the kind of its account ids and, with `needsOperationId`, an operation id for each operation. The fields
 * are in the request, or in the messages in it.
 * @returns whether each operation has an id, and the id if there is exactly one
 */
export function complete(
  desc: DescMessage,
  message: Message,
  idType: Account_IdType,
  needsOperationId: boolean,
): { readonly hasOperationIds: boolean; readonly operationId: string | undefined } {
  const holders = holdersIn(desc, message);
  for (const { desc: each, fields } of holders) {
    const namesAccount = each.field['accountId'] === undefined || Boolean(fields['accountId']);
    if (fields['idType'] === 0 && namesAccount) fields['idType'] = idType;
    if (needsOperationId && fields['operationId'] === '') fields['operationId'] = newOperationId();
  }
  const ids = holders.flatMap(({ fields }) => (fields['operationId'] ? [fields['operationId'] as string] : []));
  return { hasOperationIds: ids.length > 0, operationId: ids.length === 1 ? ids[0] : undefined };
}

/** A random id of 32 characters. `crypto.randomUUID` is missing on pages without TLS. */
export function newOperationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function holdersIn(desc: DescMessage, message: Message): Holder[] {
  const own = fieldsOf(message);
  const inner = desc.fields.flatMap((field): Holder[] => {
    const value = own[field.localName];
    if (field.message === undefined || value === undefined) return [];
    if (field.fieldKind === 'message') return [{ desc: field.message, fields: fieldsOf(value as Message) }];
    if (field.fieldKind !== 'list') return [];
    return (value as Message[]).map((each) => ({ desc: field.message, fields: fieldsOf(each) }));
  });
  return [{ desc, fields: own }, ...inner];
}

function fieldsOf(message: Message): Record<string, unknown> {
  return message;
}
