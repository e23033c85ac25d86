import type { JsonObject } from '@bufbuild/protobuf';
import type { Account } from '../../accounts/account.ts';
import { acceptedAttributes, NO_ATTRIBUTES } from '../../attributes/attribute-values.ts';
import type { EventContext, EventExpression } from '../../engine/missions/event-expression.ts';
import { type Amount, amountFromNumber, ONE } from '../../kernel/amount.ts';
import type { Steps } from '../../kernel/concurrency/time-slices.ts';
import { judgedAccount } from '../assignments/account-contexts.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';
import type { DeclaredEvents } from './expression-scope.ts';

/** An event that was applied, as far as the journal has kept it. */
export type RecentEvent = {
  /** Null if it is not known any more. */
  readonly accountId: string | null;
  readonly programmaticCode: string;
  readonly occurredAt: Date;
  /** Undefined if it had none, or if it is older than the attributes of its code. */
  readonly attributes: JsonObject | undefined;
  /** Undefined for a SINGLE event, and if it is not kept. */
  readonly amount: number | undefined;
};

/** The events of a code with the expression over them. */
export type JudgedEvents = DeclaredEvents & { readonly expression: EventExpression };

/** The result of a count of events. */
export type EventCount = { readonly matching: number; readonly examined: number; readonly undecided: number };

/** Events in one step of a count: each takes up to 2,000 steps of its expression. */
const EVENTS_PER_STEP = 20;

/**
 * Counts the events for which an expression holds.
 * @param judged by code
 * @param accounts those that exist, by id
 * @param isOver whether the time of the count is over; the rest is then not examined
 */
export function* countEvents(
  events: readonly RecentEvent[],
  judged: ReadonlyMap<string, JudgedEvents>,
  accounts: ReadonlyMap<string, Account>,
  catalog: ClientCatalog,
  isOver: () => boolean,
): Steps<EventCount> {
  const outcomes = { holds: 0, fails: 0, undecided: 0 };
  const examined = () => outcomes.holds + outcomes.fails + outcomes.undecided;
  for (const event of events) {
    const account = event.accountId === null ? undefined : accounts.get(event.accountId);
    const outcome = account && outcomeOf(event, judged.get(event.programmaticCode)!, judgedAccount(catalog, account));
    outcomes[outcome ?? 'undecided'] += 1;
    if (examined() % EVENTS_PER_STEP > 0) continue;
    if (isOver()) break;
    yield;
  }
  return { matching: outcomes.holds, examined: examined(), undecided: outcomes.undecided };
}

function outcomeOf(
  { programmaticCode, occurredAt, attributes, amount }: RecentEvent,
  { events, expression }: JudgedEvents,
  account: EventContext['account'],
): 'holds' | 'fails' | 'undecided' {
  const { names } = expression;
  if (names.has('event.amount') && amount === undefined) return 'undecided';
  const moment = occurredAt.getTime();
  const event = {
    programmaticCode,
    attributes: attributes === undefined ? NO_ATTRIBUTES : acceptedAttributes(attributes, events.attributes),
    amount: amountOf(amount),
    occurredAt: moment,
    acceptedAt: moment,
  };
  const holds = expression.run({ event, account });
  if (holds === true) return 'holds';
  const lacksAll = attributes === undefined && events.attributes.some(({ name }) => names.has(`event.${name}`));
  return holds === undefined && lacksAll ? 'undecided' : 'fails';
}

function amountOf(amount: number | undefined): Amount {
  return amount === undefined ? ONE : amountFromNumber(amount, 'amount');
}
