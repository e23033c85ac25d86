import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  AccountAdminService,
  type ReverseTriggersOfAccountRequest,
  type ReverseTriggersOfAccountResponse_ResultSchema,
  type ReverseTriggersOfAccountResponseSchema,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { idsWithAliases } from '../accounts/resolving/aliases.queries.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import { ENTRY_ID } from '../journal/entry-id.ts';
import type { JournalEntryRow } from '../journal/journal-row.ts';
import { entryById } from '../journal/read-journal.ts';
import { badRequest, DomainError, isGranted } from '../kernel/errors/domain-error.ts';
import { itemErrorOf } from '../kernel/errors/item-error.ts';
import { checkedText } from '../kernel/text.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { appliedEvent, type FoundEvent } from '../triggers/reversals/find-events.ts';
import { type Answer, reverseFound } from '../triggers/reversals/reverse-triggers.ts';
import { reversibleEntries, type Span } from '../triggers/reversals/reversible-entries.ts';
import { byId, runSupportAction, type Waker } from './support-action.ts';

/** The most events in one call, which is one transaction. */
const EVENTS_MAX = 200;

/** The events to take back: named entries of the journal, or those of a span. */
type Wanted = { readonly entryIds: readonly string[] } | { readonly span: Omit<Span, 'accountIds'> };

/** An entry of the journal; undefined if the journal does not have it, or has it for another account. */
type Chosen = { readonly entryId: string; readonly entry: JournalEntryRow | undefined };

/** Takes events of one account back, or says what that would do: proto AccountAdminService.ReverseTriggersOfAccount. */
export async function reverseTriggersOfAccount(
  call: Call,
  request: ReverseTriggersOfAccountRequest,
  { catalogs, dispatcher }: { readonly catalogs: Catalogs; readonly dispatcher: Waker },
): Promise<MessageInitShape<typeof ReverseTriggersOfAccountResponseSchema>> {
  const { accountId, idType, dryRun } = request;
  const wanted = wantedOf(request);
  const reason = checkedText(request.reason, '`reason`');

  async function reverse(uow: UnitOfWork) {
    const { id } = await requireAccount(uow, { accountId, idType }, 'change');
    const { chosen, more } = await choose(uow, id, wanted);
    const reversals = chosen.map(({ entryId }) => {
      return { event: { entryId }, amount: undefined, reason, operationId: '' };
    });
    const outcomes = await reverseFound(uow, await catalogs(uow), reversals, chosen.map(foundOf), { now: call.now });
    const results = outcomes.map((outcome, index) => resultOf(chosen[index]!, outcome));
    return { id, answer: { results, more }, count: outcomes.filter(isGranted).length };
  }

  if (dryRun) return (await call.db.rehearse(call.principal.clientId, reverse)).answer;
  return runSupportAction(call, {
    method: AccountAdminService.method.reverseTriggersOfAccount,
    request,
    dispatcher,
    content: [...namedAccount(idType, accountId), JSON.stringify(wanted)],
    async work(uow) {
      const { id, answer, count } = await reverse(uow);
      return { answer, change: count === 0 ? undefined : { ...byId(id), note: `${count}` } };
    },
  });
}

/** @throws DomainError `BAD_REQUEST` unless the request names entries or a span */
function wantedOf({ journalEntryIds, programmaticCode, since, until }: ReverseTriggersOfAccountRequest): Wanted {
  const hasSpan = since !== undefined || until !== undefined || programmaticCode !== '';
  if (journalEntryIds.length === 0) {
    if (since === undefined)
      throw badRequest('Name the events by `journalEntryIds`, or by the span that begins at `since`.');
    const code = programmaticCode === '' ? undefined : checkedText(programmaticCode, '`programmaticCode`');
    return { span: { programmaticCode: code, from: timestampDate(since), until: until && timestampDate(until) } };
  }
  if (hasSpan)
    throw badRequest('`journalEntryIds` names the events: leave `since`, `until` and `programmaticCode` out.');
  const entryIds = [...new Set(journalEntryIds.map((id) => id.toLowerCase()))];
  if (entryIds.every((id) => ENTRY_ID.test(id))) return { entryIds };
  throw badRequest('`journalEntryIds` are the `id`s of entries of GET /admin/journal.');
}

async function choose(
  uow: UnitOfWork,
  accountId: string,
  wanted: Wanted,
): Promise<{ readonly chosen: Chosen[]; readonly more: boolean }> {
  const ids = await idsWithAliases(uow, accountId);
  if ('span' in wanted) {
    const { entries, more } = await reversibleEntries(uow, { ...wanted.span, accountIds: ids }, EVENTS_MAX);
    return { chosen: entries.map((entry) => ({ entryId: entry.id, entry })), more };
  }
  const chosen = await Promise.all(
    wanted.entryIds.map(async (entryId): Promise<Chosen> => {
      const entry = await entryById(uow, entryId);
      return { entryId, entry: ids.includes(entry?.accountId ?? '') ? entry : undefined };
    }),
  );
  return { chosen, more: false };
}

function foundOf({ entry }: Chosen): FoundEvent | DomainError {
  if (entry !== undefined) return appliedEvent(entry);
  return new DomainError(
    'TRIGGER_NOT_FOUND',
    'The journal has no such entry of this account, or does not have it any more. GET /admin/journal has the ids.',
  );
}

function resultOf(
  { entryId: journalEntryId, entry }: Chosen,
  outcome: Answer | DomainError,
): MessageInitShape<typeof ReverseTriggersOfAccountResponse_ResultSchema> {
  const event = { journalEntryId, programmaticCode: entry?.programmaticCode ?? '' };
  return outcome instanceof DomainError
    ? { ...event, outcome: { case: 'error', value: itemErrorOf(outcome) } }
    : { ...event, outcome: { case: 'result', value: outcome } };
}
