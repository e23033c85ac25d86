import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Audience_Kind, type AudienceSchema } from '../../gen/laurel/v1/audience_pb.ts';
import { type PartOf, propertiesOf } from '../persistence/columns-of.ts';
import { type AudienceEntity, audienceTable } from './audience.entity.ts';

/** The API message of an audience. */
export const AUDIENCE = propertiesOf(audienceTable, [
  'id',
  'name',
  'description',
  'kind',
  'expression',
  'version',
  'createdAt',
  'updatedAt',
]);

/** Converts an audience to its API message. */
export function toAudienceMessage(
  audience: PartOf<AudienceEntity, typeof AUDIENCE>,
): MessageInitShape<typeof AudienceSchema> {
  return {
    id: audience.id,
    name: audience.name,
    description: audience.description,
    kind: Audience_Kind[audience.kind],
    expression: audience.expression ?? undefined,
    version: audience.version,
    createdAt: timestampFromDate(audience.createdAt),
    updatedAt: timestampFromDate(audience.updatedAt),
  };
}
