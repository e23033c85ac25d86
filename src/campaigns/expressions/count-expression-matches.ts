import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CountExpressionMatchesRequest,
  type CountExpressionMatchesResponseSchema,
  ExpressionUse_Scope as Scope,
} from '../../../gen/laurel/admin/v1/expression_admin_service_pb.ts';
import { countAccountsWhere } from '../../accounts/accounts-where.ts';
import { ruleEnvironment, ruleSql } from '../../audiences/audience-rule.ts';
import type { Call } from '../../clients/call.ts';
import { hasPermission } from '../../clients/permissions.ts';
import { checkedExpression } from '../../expressions/invalid-expression.ts';
import { inTimeSlices } from '../../kernel/concurrency/time-slices.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence, type Sentence } from '../../kernel/sentence.ts';
import { isTimeout } from '../../persistence/connections/failures.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { countEvents, type JudgedEvents, pastEvents, type RecentEvents } from './count-events.ts';
import { requireEvents, requireNoCodes } from './expression-scope.ts';

/** Milliseconds of one statement of a count, and after which no more events are read. */
const COUNT_TIMEOUT_MS = 5_000;

/** The default number of events. */
const EVENTS_MAX = 1_000;

/**
 * Counts the recent events or the accounts for which an expression holds: proto ExpressionAdminService.CountExpressionMatches.
 * @param recentEvents reads the journal, which is above this module
 */
export function countExpressionMatches(
  call: Call,
  request: CountExpressionMatchesRequest,
  catalogs: Catalogs,
  recentEvents: RecentEvents,
): Promise<MessageInitShape<typeof CountExpressionMatchesResponseSchema>> {
  const { db, principal, clock } = call;
  const isOfAccounts = request.scope === Scope.AUDIENCE_RULE;
  return db.unitOfWork(principal.clientId, async (uow) => {
    await uow.set({ statement_timeout: COUNT_TIMEOUT_MS });
    try {
      return isOfAccounts
        ? await countAccounts(uow, request, clock())
        : await countRecentEvents(uow, call, request, { catalogs, recentEvents });
    } catch (error) {
      throw isTimeout(error) ? tooLarge(isOfAccounts, error) : error;
    }
  });
}

async function countAccounts(
  uow: UnitOfWork,
  { expression, programmaticCodes, eventsMax }: CountExpressionMatchesRequest,
  now: Date,
) {
  requireNoCodes(programmaticCodes);
  if (eventsMax !== undefined) throw badRequest('`eventsMax` is for expressions over events: leave it out.');
  const { environment, joinsOf } = await ruleEnvironment(uow, now, 'joined');
  const rule = checkedExpression(expression, environment, 'BOOLEAN', 'expression');
  return { matching: await countAccountsWhere(uow, { sql: ruleSql(rule), joins: joinsOf([rule]) }) };
}

async function countRecentEvents(
  uow: UnitOfWork,
  { principal }: Call,
  { expression, programmaticCodes: codes, eventsMax = EVENTS_MAX }: CountExpressionMatchesRequest,
  { catalogs, recentEvents }: { readonly catalogs: Catalogs; readonly recentEvents: RecentEvents },
) {
  const catalog = await catalogs(uow);
  const judged = requireEvents(catalog, codes).map(({ code, events }): JudgedEvents => ({
    ...{ code, events },
    expression: checkedExpression(expression, events.environment, 'BOOLEAN', 'expression'),
  }));
  if (!hasPermission(principal, 'KEEP_CAMPAIGNS')) requireNothingPersonal(judged);
  const end = performance.now() + COUNT_TIMEOUT_MS;
  const isOver = () => performance.now() > end;
  const past = await pastEvents(uow, recentEvents, { codes, eventsMax, isOver });
  const byCode = new Map(judged.map((each) => [each.code, each]));
  const { matching, examined, undecided } = await inTimeSlices(countEvents(past, byCode, catalog, isOver));
  return { matching, examined, undecided };
}

/** The journal masks personal values of events, and counts for one value after the other would reveal them. */
function requireNothingPersonal(judged: readonly JudgedEvents[]): void {
  for (const { events, expression } of judged) {
    const name = [...expression.names].find((each) => each.startsWith('event.') && events.personal.has(each));
    if (name === undefined) continue;
    throw new DomainError(
      'FORBIDDEN',
      sentence`${name} is personal: counting with it needs the permission KEEP_CAMPAIGNS. Leave it out.`,
    );
  }
}

function tooLarge(isOfAccounts: boolean, cause: unknown): DomainError {
  const seconds = COUNT_TIMEOUT_MS / 1_000;
  const message: Sentence = isOfAccounts
    ? sentence`The count of the accounts takes longer than ${seconds} seconds. Write a shorter expression, or repeat the call when the database is less busy.`
    : sentence`The count of the events takes longer than ${seconds} seconds. Send a smaller \`eventsMax\`, or repeat the call when the database is less busy.`;
  return new DomainError('COUNT_TOO_LARGE', message, { cause });
}
