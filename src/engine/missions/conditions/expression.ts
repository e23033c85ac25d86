import type { UncountedReason } from '../../decision.ts';
import { type EventContext, type EventExpression, MISSION_PROGRESS } from '../event-expression.ts';
import type { Condition } from './condition.ts';

/** `expression`: an event counts if the expression holds. One with `mission.progress` is judged after all that the event alone decides. */
export const expression: Condition<'expression'> = {
  forms: { expression: 'expression' },
  apply: ({ expression: test }) =>
    test!.names.has(MISSION_PROGRESS)
      ? {
          by: 'progress',
          refusals: { CONDITION_NOT_MET: (event, judged) => unmet(test!, { event, ...judged }) },
        }
      : {
          by: 'event',
          refusals: { CONDITION_NOT_MET: (event, account) => unmet(test!, { event, account }) },
        },
  state: 'none',
  lock: 'none',
  reach: 'none',
  bound: 'none',
  checks: [],
};

/** Whether an expression refuses an event, or why. */
function unmet({ run }: EventExpression, context: EventContext): boolean | UncountedReason {
  const holds = run(context);
  return holds === undefined ? 'ATTRIBUTE_MISSING' : !holds;
}
