import { CLOCK_TOLERANCE_MS } from '../../kernel/due.ts';
import { aheadSql, type Backlog } from '../watches/backlog.ts';
import { type Check, few, warning } from './check.ts';

/** Whether something waits that is dated ahead of the clock, which then was ahead before or is behind now. */
export function backlogCheck(backlogs: readonly Backlog[]): Check {
  const queues = backlogs.filter(({ since }) => since !== undefined);
  const sql = queues
    .map((backlog) => `select '${backlog.queue}' as queue, ${aheadSql(backlog)} as ahead`)
    .join(' union all ');
  return {
    name: 'backlog',
    after: ['migrations', 'tables', 'roles'],
    async run({ asSystem }) {
      const rows = await asSystem<{ queue: string; ahead: number | null }>(sql);
      const late = rows.filter(({ ahead }) => (ahead ?? 0) * 1_000 > CLOCK_TOLERANCE_MS);
      if (late.length === 0) return { seen: 'Nothing that waits is dated ahead of the clock.', findings: [] };
      const most = Math.round(Math.max(...late.map(({ ahead }) => ahead!)));
      return {
        seen: '',
        findings: [
          warning(
            `What waits in ${few(late.map(({ queue }) => queue))} is dated up to ${most} s ahead of PostgreSQL's clock.`,
            'That clock was ahead and has been set back, or is behind now: look at it. What waits is dealt with all the same.',
          ),
        ],
      };
    },
  };
}
