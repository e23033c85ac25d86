import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Change_Kind } from '../../../gen/laurel/v1/change_pb.ts';
import { WebhookEndpoint_Form, type WebhookEndpointSchema } from '../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity.ts';

/** Converts an endpoint to its API message, without its secret. */
export function toWebhookEndpointMessage(
  endpoint: WebhookEndpointEntity,
): MessageInitShape<typeof WebhookEndpointSchema> {
  const { id, name, url, types, campaignIds, retries, form, version, createdAt, updatedAt } = endpoint;
  const { formerSecretUntil } = endpoint;
  return {
    id,
    name,
    url,
    types: types.map((type) => Change_Kind[type]),
    campaignIds: [...campaignIds],
    retries,
    form: WebhookEndpoint_Form[form],
    version,
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
    formerSecretUntil: formerSecretUntil ? timestampFromDate(formerSecretUntil) : undefined,
  };
}
