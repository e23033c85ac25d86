import { Cause_Severity } from '../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { AttentionItem, CauseKind, CauseReaders } from './causes.ts';

/** A cause with its kind and key. */
export type Cause = AttentionItem & {
  readonly kind: CauseKind;
  /** The key of the cause; it stays the same while the cause lasts. */
  readonly key: string;
};

/**
 * The causes of a client in its unit of work, urgent ones first.
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
