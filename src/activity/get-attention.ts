import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  Cause_Kind,
  Cause_Severity,
  type CauseSchema,
  type GetAttentionRequest,
  type GetAttentionResponseSchema,
} from '../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import type { Call } from '../clients/call.ts';
import { type Cause, causesOf } from './causes-of.ts';
import type { CauseReaders } from './causes.ts';

/** Lists the causes that need an operator now: proto StatisticsAdminService.GetAttention. */
export function getAttention(
  { db, principal, now }: Call,
  _request: GetAttentionRequest,
  readers: CauseReaders,
): Promise<MessageInitShape<typeof GetAttentionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const causes = await causesOf(uow, now, readers);
    return { attention: { causes: causes.map(toMessage) } };
  });
}

function toMessage({ about: _about, ...cause }: Cause): MessageInitShape<typeof CauseSchema> {
  const { since, until } = cause;
  return {
    ...cause,
    kind: Cause_Kind[cause.kind],
    severity: Cause_Severity[cause.severity],
    since: since && timestampFromDate(since),
    until: until && timestampFromDate(until),
  };
}
