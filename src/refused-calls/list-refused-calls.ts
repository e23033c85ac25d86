import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type {
  ListRefusedCallsRequest,
  ListRefusedCallsResponseSchema,
} from '../../gen/laurel/admin/v1/refused_call_admin_service_pb.ts';
import { idsWithAliases } from '../accounts/resolving/aliases.queries.ts';
import type { Call } from '../clients/call.ts';
import { credentialNames } from '../clients/credentials/credential-names.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { parseId } from '../kernel/ids.ts';
import { checkedText } from '../kernel/text.ts';
import type { CallCollector } from './collect-calls.ts';
import { refusedCallMessage } from './refused-call-message.ts';
import { refusedCalls, refusedCallsOf } from './refused-calls.queries.ts';

/** The default number of calls of a page. */
const LIMIT = 50;

/** Lists refused calls: proto RefusedCallAdminService.ListRefusedCalls. */
export async function listRefusedCalls(
  { db, principal: { clientId } }: Call,
  request: ListRefusedCallsRequest,
  collector: Pick<CallCollector, 'flush'>,
): Promise<MessageInitShape<typeof ListRefusedCallsResponseSchema>> {
  const { limit = LIMIT, cursor, operation, credentialId, code, accountId, since, until } = request;
  const query = {
    operation: operation ? checkedText(operation, 'operation') : undefined,
    credentialId: credentialId?.toLowerCase(),
    code: code ? checkedText(code, 'code') : undefined,
    since: since && timestampDate(since),
    until: until && timestampDate(until),
    before: cursor ? positionFrom(cursor) : undefined,
  };
  await collector.flush();
  return db.unitOfWork(clientId, async (uow) => {
    // One row more than the limit shows whether a next page exists.
    const rows =
      accountId === undefined
        ? await refusedCalls(uow, query, limit + 1)
        : await refusedCallsOf(uow, await idsWithAliases(uow, accountId), query, limit + 1);
    const shown = rows.slice(0, limit);
    const names = await credentialNames(
      uow,
      shown.map((row) => row.credentialId),
    );
    return {
      rows: shown.map((row) => refusedCallMessage(row, names)),
      nextCursor: rows.length > limit ? shown.at(-1)!.id : undefined,
    };
  });
}

function positionFrom(cursor: string): string {
  const id = parseId(cursor);
  if (id !== undefined) return id;
  throw badRequest('cursor: Send `nextCursor` of an answer as it is, or leave it out for the first page.');
}
