import { CLOCK_TOLERANCE_MS } from '../../kernel/time/due.ts';
import { DISTRIBUTED } from '../connections/scope-settings.ts';
import { aheadOnNodesSql, aheadSql, type Backlog } from '../watches/backlog.ts';
import { type Check, abbreviated, type Inspection, warning } from './check.ts';

/** A queue, with the seconds by which its newest row is ahead of the clock; null for an empty queue. */
type Row = { readonly queue: string; readonly ahead: number | null };

/** Looks for waiting rows with a time ahead of the clock: the clock was ahead earlier, or is behind now. */
export function backlogCheck(backlogs: readonly Backlog[]): Check {
  const queues = backlogs.filter(({ since }) => since !== undefined);
  const sql = queues
    .map((backlog) => `select '${backlog.queue}' as queue, ${aheadSql(backlog)} as ahead`)
    .join(' union all ');
  /** No statement leads from a client of one node to the next of another: each queue is read whole. */
  async function onNodes(asSystem: Inspection['asSystem']): Promise<Row[]> {
    const rows: Row[] = [];
    for (const backlog of queues) {
      const [row] = await asSystem<{ ahead: number | null }>(aheadOnNodesSql(backlog));
      rows.push({ queue: backlog.queue, ahead: row!.ahead });
    }
    return rows;
  }

  return {
    name: 'backlog',
    after: ['migrations', 'tables', 'roles'],
    async run({ query, asSystem }) {
      const rows = (await isDistributed(query)) ? await onNodes(asSystem) : await asSystem<Row>(sql);
      const late = rows.filter(({ ahead }) => (ahead ?? 0) * 1_000 > CLOCK_TOLERANCE_MS);
      if (late.length === 0) return { seen: 'Nothing that waits is dated ahead of the clock.', findings: [] };
      const most = Math.round(Math.max(...late.map(({ ahead }) => ahead!)));
      return {
        seen: '',
        findings: [
          warning(
            `What waits in ${abbreviated(late.map(({ queue }) => queue))} is dated up to ${most} s ahead of PostgreSQL's clock.`,
            'That clock was ahead and has been set back, or is behind now: look at it. What waits is dealt with all the same.',
          ),
        ],
      };
    },
  };
}

async function isDistributed(query: Inspection['query']): Promise<boolean> {
  const [row] = await query<{ distributed: boolean }>(`select ${DISTRIBUTED} as distributed`);
  return row!.distributed;
}
