import { create, type MessageInitShape, toJson, toJsonString } from '@bufbuild/protobuf';
import { PublicationStatusChangeSchema, RewardDeliverySchema } from '../../gen/laurel/v1/webhook_pb.ts';

/** The body of a rewards webhook: a JSON array with one item for each delivered reward. */
export function rewardsBody(items: ReadonlyArray<MessageInitShape<typeof RewardDeliverySchema>>): string {
  return JSON.stringify(items.map((item) => toJson(RewardDeliverySchema, create(RewardDeliverySchema, item))));
}

/** The body of a publication-status webhook: one JSON object. */
export function publicationStatusBody(change: MessageInitShape<typeof PublicationStatusChangeSchema>): string {
  return toJsonString(PublicationStatusChangeSchema, create(PublicationStatusChangeSchema, change));
}
