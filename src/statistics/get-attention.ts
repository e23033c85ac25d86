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
import type { UnitOfWork } from '../persistence/database.ts';
import type { CauseKind, CauseReaders, Found } from './causes.ts';

/** One cause among those of all kinds. */
type KindOfFound = Found & { readonly kind: CauseKind; readonly key: string };

/** Tells what needs somebody now: proto StatisticsAdminService.GetAttention. */
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

/** All causes of a client, the urgent ones first. */
async function causesOf(uow: UnitOfWork, now: Date, readers: CauseReaders): Promise<KindOfFound[]> {
  const causes: KindOfFound[] = [];
  for (const kind of Object.keys(readers) as CauseKind[]) {
    for (const found of await readers[kind](uow, now))
      causes.push({ ...found, kind, key: found.about === undefined ? kind : `${kind}/${found.about}` });
  }
  const rank = ({ severity }: Found) => Cause_Severity[severity];
  return causes.toSorted((one, other) => rank(one) - rank(other));
}

function toMessage({ about: _about, ...cause }: KindOfFound): MessageInitShape<typeof CauseSchema> {
  const { since, until } = cause;
  return {
    ...cause,
    kind: Cause_Kind[cause.kind],
    severity: Cause_Severity[cause.severity],
    since: since && timestampFromDate(since),
    until: until && timestampFromDate(until),
  };
}
