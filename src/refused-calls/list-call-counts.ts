import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type {
  ListCallCountsRequest,
  ListCallCountsResponseSchema,
} from '../../gen/laurel/admin/v1/refused_call_admin_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { credentialNames } from '../clients/credentials/credential-names.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import { checkedText } from '../kernel/text.ts';
import { DAY } from '../kernel/time/timestamp.ts';
import { sumCalls } from './call-counts.queries.ts';
import type { CallCollector } from './collect-calls.ts';

/** The maximum of rows. */
const ROWS_MAX = 500;

/** Counts calls by operation and credential: proto RefusedCallAdminService.ListCallCounts. */
export async function listCallCounts(
  { db, principal: { clientId }, now }: Call,
  request: ListCallCountsRequest,
  collector: Pick<CallCollector, 'flush'>,
): Promise<MessageInitShape<typeof ListCallCountsResponseSchema>> {
  const { operation, credentialId } = request;
  const until = request.until ? timestampDate(request.until) : now;
  const since = request.since ? timestampDate(request.since) : new Date(until.getTime() - DAY);
  if (until <= since) throw badRequest('`until` must be later than `since`.');
  const query = { since, until, operation: operation ? checkedText(operation, 'operation') : undefined, credentialId };
  await collector.flush();
  return db.unitOfWork(clientId, async (uow) => {
    const rows = await sumCalls(uow, query, ROWS_MAX);
    const names = await credentialNames(
      uow,
      rows.map((row) => row.credentialId),
    );
    return {
      rows: rows.map(({ codes, ...row }) => ({
        ...row,
        codes: [...codes],
        credentialName: names.get(row.credentialId),
        refusedShare: row.refused / row.calls,
      })),
    };
  });
}
