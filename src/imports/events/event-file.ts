import { create, toBinary } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { TriggerSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import { type AccountKey, parseAccountRef } from '../../accounts/resolving/account-ref.ts';
import { attributesOfCells } from '../../attributes/attribute-cells.ts';
import { parseInstant } from '../../expressions/literals.ts';
import type { ClientCatalog } from '../../campaigns/catalog/catalog.ts';
import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { checkedText } from '../../kernel/text.ts';
import { eventOf } from '../../triggers/event-of.ts';
import { attributeColumnOf } from '../files/csv/csv-header.ts';
import type { FileKind } from '../files/file-kind.ts';
import { insertStagedEvents } from './staged-events.queries.ts';

/** A row of a file of events. */
type EventItem = {
  /** The account, as a sortable text. */
  readonly subject: string;
  readonly occurredAt: number;
  readonly trigger: Buffer;
};

/** The bounds of the proto of events, in characters. */
const OPERATION_ID_MAX = 128;

/** A number of an amount, as in a cell of an attribute. */
const AMOUNT = /^\d+(?:\.\d+)?$/;

/**
 * Files of events. Their rows are not applied but staged, sorted by account and time: `applyEvents` follows.
 * @param catalog the codes and the attributes of their events
 * @param daysMax the most days that an event may be late
 */
export function eventFile(catalog: Pick<ClientCatalog, 'events'>, daysMax: number, now: Date): FileKind<EventItem> {
  const attributes = [
    ...new Set([...catalog.events.values()].flatMap((each) => each.attributes.map(({ name }) => name))),
  ];
  return {
    columns: {
      required: 'operationId',
      alsoRequired: ['programmaticCode', 'accountId', 'occurredAt'],
      keyWith: 'programmaticCode',
      optional: ['idType', 'amount'],
      attributes,
    },
    read(_, cell) {
      const operationId = needed('operationId', cell('operationId'));
      if ([...operationId].length > OPERATION_ID_MAX)
        throw badRequest(
          sentence`operationId has ${[...operationId].length} characters, ${OPERATION_ID_MAX} at most are allowed.`,
        );
      const programmaticCode = needed('programmaticCode', cell('programmaticCode'));
      const accountId = needed('accountId', cell('accountId'));
      const idType = idTypeOf(cell('idType'));
      const occurredAt = parseInstant(needed('occurredAt', cell('occurredAt')));
      if (occurredAt === undefined)
        throw badRequest('occurredAt must be a moment with its zone, for example 2026-11-25T08:00:00Z.');
      const cells = attributes.flatMap((name): Array<[string, string]> => {
        const text = cell(attributeColumnOf(name));
        return text === undefined ? [] : [[name, text]];
      });
      const amount = cell('amount');
      const declared = catalog.events.get(programmaticCode)?.attributes ?? [];
      const trigger = create(TriggerSchema, {
        programmaticCode,
        accountId,
        idType,
        operationId: checkedText(operationId, 'operationId'),
        occurredAt: timestampFromMs(occurredAt),
        metadata: {
          ...attributesOfCells(new Map(cells), declared, 'attributes'),
          ...(amount !== undefined && { amount: AMOUNT.test(amount) ? Number(amount) : amount }),
        },
      });
      // Refuses here what the application would refuse, so that the report is there before the first event is applied.
      eventOf(trigger, catalog, now, { backfillDaysMax: daysMax });
      const subject = subjectOf(parseAccountRef({ accountId, idType }));
      return { subject, occurredAt, trigger: Buffer.from(toBinary(TriggerSchema, trigger)) };
    },
    apply: ({ db, clientId, source, rows, hold, record }) =>
      db.unitOfWork(clientId, async (uow) => {
        await hold(uow);
        const staged = rows.map(({ item, location }) => ({ ...item, ...location, importId: source.id }));
        await insertStagedEvents(uow, staged);
        await record(uow, { created: 0, updated: 0, unchanged: 0 }, []);
      }),
  };
}

function needed(column: string, text: string | undefined): string {
  if (text === undefined) throw badRequest(sentence`${column} is empty.`);
  return text;
}

function idTypeOf(text: string | undefined): Account_IdType {
  const word = text?.toUpperCase() ?? 'INTERNAL';
  if (word === 'INTERNAL') return Account_IdType.INTERNAL;
  if (word === 'EXTERNAL') return Account_IdType.EXTERNAL;
  throw badRequest('idType must be INTERNAL or EXTERNAL.');
}

function subjectOf(account: AccountKey): string {
  return 'id' in account ? `I ${account.id}` : `E ${account.externalId}`;
}
