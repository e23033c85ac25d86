import { sentence } from '../../../kernel/sentence.ts';
import type { Condition, DefinitionCheck } from './condition.ts';

const needsAmounts: DefinitionCheck = ({ conditions }, eventType) =>
  eventType === 'SINGLE' &&
  (conditions?.minAmount !== undefined || conditions?.maxAmount !== undefined) &&
  sentence`minAmount and maxAmount are for AMOUNT events: leave them out.`;

/** `minAmount`: an event counts from this amount on. */
export const minAmount: Condition<'minAmount'> = {
  forms: { minAmount: 'amount' },
  apply: ({ minAmount: least }) => ({
    by: 'event',
    refusals: { BELOW_MINIMUM: ({ amount }) => amount < least! },
  }),
  state: 'none',
  lock: 'none',
  reach: 'none',
  bound: 'none',
  checks: [needsAmounts],
};

/** `maxAmount`: an event counts up to this amount. A larger one is refused, not cut. */
export const maxAmount: Condition<'maxAmount'> = {
  forms: { maxAmount: 'amount' },
  apply: ({ maxAmount: most }) => ({
    by: 'event',
    refusals: { ABOVE_MAXIMUM: ({ amount }) => amount > most! },
  }),
  state: 'none',
  lock: 'none',
  reach: 'none',
  bound: 'none',
  checks: [
    needsAmounts,
    ({ conditions: { minAmount: least, maxAmount: most } = {} }) =>
      least !== undefined && most !== undefined && least > most && sentence`minAmount must not be above maxAmount.`,
  ],
};
