import type { StatisticDefinitionDraft } from '../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import {
  StatisticDefinition_AggregationSchema,
  StatisticDefinition_PeriodSchema,
  StatisticDefinition_SourceSchema,
} from '../../../gen/laurel/v1/statistic_pb.ts';
import { AGGREGATION_OF_SOURCE, aggregations, type StatisticSource } from '../../engine/statistics/statistic-value.ts';
import { type EventDeclaration, MISSION_PROGRESS } from '../../engine/missions/event-expression.ts';
import { checkedExpression } from '../../expressions/invalid-expression.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';

/** The declarations of the client's events, by code; the module of the codes reads them. */
export type EventDeclarations = (uow: UnitOfWork) => Promise<ReadonlyMap<string, EventDeclaration>>;

/** The stored content of a draft. */
export type StatisticContent = ReturnType<typeof contentOf>;

/** Words that an expression cannot have after a point. */
const RESERVED =
  /^(?:as|break|const|continue|else|false|for|function|if|import|in|let|loop|package|namespace|null|return|true|var|void|while)$/;

/** @throws DomainError `BAD_REQUEST` for a code that no expression can name */
export function requireNameable(code: string, field: string): void {
  if (RESERVED.test(code)) throw badRequest(sentence`${field} '${code}' is reserved: choose another name.`);
}

/** The content of a draft, without a check of its names. */
export function contentOf(draft: StatisticDefinitionDraft) {
  return {
    code: draft.code,
    name: draft.name ?? draft.code,
    description: draft.description,
    source: enumName(StatisticDefinition_SourceSchema, draft.source) ?? 'EVENTS',
    programmaticCode: draft.programmaticCode === '' ? null : draft.programmaticCode,
    aggregation: enumName(StatisticDefinition_AggregationSchema, draft.aggregation)!,
    period: enumName(StatisticDefinition_PeriodSchema, draft.period)!,
    condition: draft.condition ?? null,
    /** Undefined if the draft does not say. */
    countsPastEvents: draft.countsPastEvents,
  };
}

/**
 * Checks what a statistic counts.
 * @throws DomainError `BAD_REQUEST` for a code of events that does not exist or has no amounts, a mistake in the condition, past events that the
 * condition cannot judge, or a reserved word
 */
export async function requireCountable(
  uow: UnitOfWork,
  { code, source, programmaticCode, aggregation, condition, countsPastEvents }: StatisticContent,
  declarations: EventDeclarations,
): Promise<void> {
  requireNameable(code, 'statisticDefinition.code');
  if (source !== 'EVENTS') {
    requireWithoutEvents(source, { programmaticCode, aggregation, condition, countsPastEvents });
    return;
  }
  if (programmaticCode === null)
    throw badRequest('`statisticDefinition.programmaticCode` is empty: send the code of the events that it counts.');
  const events = (await declarations(uow)).get(programmaticCode);
  if (events === undefined)
    throw badRequest(
      sentence`statisticDefinition.programmaticCode '${programmaticCode}' is no code of events. GET /gamification/triggers lists the codes.`,
    );
  if (aggregations[aggregation].needsAmounts && events.type !== 'AMOUNT')
    throw badRequest(
      sentence`statisticDefinition.aggregation ${aggregation} needs events with amounts, and those of '${programmaticCode}' have none: send COUNT or DAYS.`,
    );
  if (condition === null) return;
  const field = 'statisticDefinition.condition';
  const { names } = checkedExpression(condition, events.environment, 'BOOLEAN', field);
  if (names.has(MISSION_PROGRESS))
    throw badRequest(
      sentence`\`${field}\` reads '${MISSION_PROGRESS}', but a statistic is moved whatever missions count: use names of the event and the account.`,
    );
  const ofAccount = [...names].find((name) => name.startsWith('account.'));
  if (countsPastEvents === true && ofAccount !== undefined)
    throw badRequest(
      sentence`\`statisticDefinition.countsPastEvents\` does not go with '${ofAccount}' in the condition: the journal does not know the account of that time. Leave one of them out.`,
    );
}

/** @throws DomainError `BAD_REQUEST` for the parts of a statistic of events, and for another aggregation than that of the source */
function requireWithoutEvents(
  source: Exclude<StatisticSource, 'EVENTS'>,
  {
    programmaticCode,
    aggregation,
    condition,
    countsPastEvents,
  }: Pick<StatisticContent, 'programmaticCode' | 'aggregation' | 'condition' | 'countsPastEvents'>,
): void {
  const only = AGGREGATION_OF_SOURCE[source];
  if (aggregation !== only)
    throw badRequest(
      sentence`statisticDefinition.aggregation ${aggregation} is for events: send ${only} for a statistic of ${source}.`,
    );
  if (programmaticCode !== null)
    throw badRequest(
      sentence`\`statisticDefinition.programmaticCode\` is for statistics of EVENTS: leave it out for one of ${source}.`,
    );
  if (condition !== null)
    throw badRequest(
      sentence`\`statisticDefinition.condition\` is for statistics of EVENTS: leave it out for one of ${source}.`,
    );
  if (countsPastEvents === true)
    throw badRequest(
      sentence`\`statisticDefinition.countsPastEvents\` is for statistics of EVENTS: leave it out for one of ${source}.`,
    );
}
