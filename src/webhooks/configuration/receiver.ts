import { type WebhookType as ProtoType, WebhookTypeSchema } from '../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { type ReceiverKey, RECEIVERS } from './webhook-target.ts';

/**
 * The receiver that a request names by `type` or `endpointId`.
 * @throws DomainError `BAD_REQUEST` for both, and for none
 */
export function receiverKey({ type, endpointId }: { type: ProtoType; endpointId?: string | undefined }): ReceiverKey {
  const name = enumName(WebhookTypeSchema, type);
  if ((name === undefined) === (endpointId === undefined))
    throw badRequest('Send either type, for a webhook, or endpointId, for an endpoint.');
  return name ?? endpointId!.toLowerCase();
}

/** The receiver of a message. */
export function receiverOf({
  type,
  endpointId,
}: {
  readonly type: string;
  readonly endpointId: string | null;
}): ReceiverKey {
  return endpointId ?? type;
}

/** The id under which messages name a receiver, or undefined if it does not exist any more. */
export async function findReceiver(uow: UnitOfWork, key: ReceiverKey): Promise<string | undefined> {
  const [row] = await uow.query<{ id: string }>(
    `select c.configuration_id as id from ${RECEIVERS} where c.client_id = $1 and c.key = $2`,
    [uow.clientId, key],
  );
  return row?.id;
}

/** The same, locked until the transaction ends: no other transaction can change the receiver or add a retry meanwhile. */
export async function lockReceiver(uow: UnitOfWork, key: ReceiverKey): Promise<string | undefined> {
  await Promise.all([
    uow.query('select from webhook_configuration where client_id = $1 and type = $2 for update', [uow.clientId, key]),
    uow.query('select from webhook_endpoint where client_id = $1 and id::text = $2 for update', [uow.clientId, key]),
  ]);
  return findReceiver(uow, key);
}

/** The 409 of a type that is not configured. */
export function notConfigured(type: string): DomainError {
  return new DomainError(
    'WEBHOOK_NOT_CONFIGURED',
    sentence`There is no webhook of type ${type} to send it to. Configure one first.`,
  );
}
