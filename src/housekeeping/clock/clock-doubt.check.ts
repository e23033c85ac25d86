import { type Check, warning } from '../../persistence/checks/check.ts';
import { type DoubtReason, evaluateStart } from './clock-rule.ts';
import { WORDS } from './clock-watch.ts';
import { doubtOf } from './rounds.queries.ts';

type Row = { readonly now: Date; readonly lastRoundAt: Date; readonly doubt: DoubtReason | null };

/**
 * Checks whether running processes, or one that starts now, distrust PostgreSQL's clock.
 * @param awayMs milliseconds for which the service may have been stopped
 */
export function clockDoubtCheck(awayMs: number): Check {
  return {
    name: 'housekeeping',
    after: ['migrations', 'tables', 'roles'],
    async run({ asSystem }) {
      const [row] = await asSystem<Row>(
        `select clock_timestamp() as now, last_round_at as "lastRoundAt", ${doubtOf('statement_timestamp()')} as doubt
           from housekeeping_round`,
      );
      const reason = row && (row.doubt ?? evaluateStart(row.now.getTime(), row.lastRoundAt.getTime(), awayMs));
      if (row === undefined) return { seen: 'It has not looked at the clock yet.', findings: [] };
      if (reason === undefined)
        return { seen: `It last trusted the clock at ${row.lastRoundAt.toISOString()}.`, findings: [] };
      return {
        seen: '',
        findings: [
          warning(
            `Nothing is deleted or closed for good: ${WORDS[reason]}. It says ${row.now.toISOString()}, and was last trusted at ${row.lastRoundAt.toISOString()}.`,
            'Compare it with a clock that is right. If it is, run `npm run laurel -- clock confirm`; if not, set it. docs/runbook.md says more.',
          ),
        ],
      };
    },
  };
}
