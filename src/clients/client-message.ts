import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ClientSchema } from '../../gen/laurel/admin/v1/client_pb.ts';
import type { ClientEntity } from './client.entity.ts';

/** A client as the API shows it. */
export function toClientMessage(client: ClientEntity): MessageInitShape<typeof ClientSchema> {
  return {
    id: client.id,
    name: client.name,
    timeZone: client.timeZone,
    version: client.version,
    createdAt: timestampFromDate(client.createdAt),
    updatedAt: timestampFromDate(client.updatedAt),
  };
}
