import { Cause_Severity } from '../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { AttentionItem, CauseKind, CauseReaders } from './causes.ts';

/** One cause among those of all kinds. */
export type Cause = AttentionItem & {
  readonly kind: CauseKind;
  /** Names the cause, the same each time for as long as it lasts. */
  readonly key: string;
};

/**
 * The causes of a client in its unit of work, the urgent ones first.
 * @param chosen the kinds to look for; none means all
 */
export async function causesOf(
  uow: UnitOfWork,
  now: Date,
  readers: CauseReaders,
  chosen: readonly CauseKind[] = [],
): Promise<Cause[]> {
  const causes: Cause[] = [];
  for (const kind of Object.keys(readers) as CauseKind[]) {
    if (chosen.length > 0 && !chosen.includes(kind)) continue;
    for (const item of await readers[kind](uow, now))
      causes.push({ ...item, kind, key: item.about === undefined ? kind : `${kind}/${item.about}` });
  }
  const rank = ({ severity }: AttentionItem) => Cause_Severity[severity];
  return causes.toSorted((one, other) => rank(one) - rank(other));
}
