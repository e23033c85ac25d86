import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { RefusedCallSchema } from '../../gen/laurel/admin/v1/refused_call_pb.ts';
import { momentOfId } from '../kernel/ids.ts';
import type { RefusedCallRow } from './refused-calls.queries.ts';

/** The API message of a refused call. @param names the names of credentials by id */
export function refusedCallMessage(
  row: RefusedCallRow,
  names: ReadonlyMap<string, string>,
): MessageInitShape<typeof RefusedCallSchema> {
  return {
    ...row,
    refusedAt: timestampFromDate(momentOfId(row.id)),
    credentialName: names.get(row.credentialId),
    accountId: row.accountId ?? undefined,
    programmaticCode: row.programmaticCode ?? undefined,
    resourceId: row.resourceId ?? undefined,
    operationId: row.operationId ?? undefined,
    field: row.field ?? undefined,
  };
}
