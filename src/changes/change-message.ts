import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { type Change, ChangeSchema } from '../../gen/laurel/v1/change_pb.ts';
import { cursorOf } from './cursor.ts';
import type { NumberedChange } from './read-changes.ts';

/** The message of a change. Its data is in the field that is named as its kind. */
export function toChangeMessage({ kind, json, place, occurredAt }: NumberedChange): Change {
  const message = {
    cursor: cursorOf(place),
    type: kind,
    occurredAt: occurredAt.toISOString(),
    [kind.toLowerCase()]: JSON.parse(json) as JsonValue,
  };
  // A change may have been written by a newer release.
  return fromJson(ChangeSchema, message, { ignoreUnknownFields: true });
}
