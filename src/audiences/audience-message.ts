import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Audience_Kind, type AudienceSchema } from '../../gen/laurel/v1/audience_pb.ts';
import type { AudienceEntity } from './audience.entity.ts';

/** An audience as the API shows it. */
export function toAudienceMessage(audience: AudienceEntity): MessageInitShape<typeof AudienceSchema> {
  return {
    id: audience.id,
    name: audience.name,
    description: audience.description,
    kind: Audience_Kind[audience.kind],
    version: audience.version,
    createdAt: timestampFromDate(audience.createdAt),
    updatedAt: timestampFromDate(audience.updatedAt),
  };
}
