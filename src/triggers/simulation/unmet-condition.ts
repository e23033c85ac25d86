import type { ClientCatalog } from '../../campaigns/catalog/catalog.ts';
import { explainExpression } from '../../engine/missions/event-expression.ts';
import type { UncountedCause } from '../../journal/journal-row.ts';
import type { Sentence } from '../../kernel/sentence.ts';
import type { DecidedTrigger } from '../batch-trigger.ts';

/** The part of a mission's expression that refused an event, with its values; undefined for another reason. */
export function unmetCondition(
  catalog: ClientCatalog,
  { reason, missionId, previousProgress }: UncountedCause,
  { event, context }: Pick<DecidedTrigger, 'event' | 'context'>,
): Sentence | undefined {
  if (reason !== 'CONDITION_NOT_MET' && reason !== 'ATTRIBUTE_MISSING') return undefined;
  const expression = catalog.rules.missions.get(missionId)?.conditions.expression;
  const events = catalog.events.get(event.programmaticCode);
  return (
    expression &&
    events &&
    explainExpression(expression, events, { event, account: context, progress: previousProgress })
  );
}
