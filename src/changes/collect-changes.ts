import { create, type DescMessage, type MessageInitShape, toJsonString } from '@bufbuild/protobuf';
import type { Change_KindSchema } from '../../gen/laurel/v1/change_pb.ts';
import type { EnumName } from '../kernel/enum-names.ts';
import type { UnitOfWork } from '../persistence/database.ts';

/** A change for the feed. */
export type FedChange = {
  readonly kind: EnumName<typeof Change_KindSchema>;
  /** The JSON of its message. It has no line breaks, as `JSON.stringify` writes it. */
  readonly json: string;
};

/** A change for the feed, from its message. */
export function changeOf<Schema extends DescMessage>(
  kind: FedChange['kind'],
  schema: Schema,
  message: MessageInitShape<Schema>,
): FedChange {
  return { kind, json: toJsonString(schema, create(schema, message), { alwaysEmitImplicit: true }) };
}

/** The lines of a transaction in the feed. */
export type FedLines = {
  readonly changes: readonly FedChange[];
  /** Ids of the journal's batches that moved missions. They are no change: streams of accounts read the progress there. */
  readonly journalBatchIds: readonly string[];
};

type Collecting = { readonly changes: FedChange[]; readonly journalBatchIds: string[] };

/** The lines of each unit of work whose client has a feed, or may have one. It is a WeakMap, so that unused entries are collected. */
const collected = new WeakMap<UnitOfWork, Collecting>();

/** Units of work that switch a feed on or off. */
const switching = new WeakSet<UnitOfWork>();

/** States that a unit of work switches the feed of its client: from its commit on this process knows it. */
export function switchesFeed(uow: UnitOfWork): void {
  switching.add(uow);
}

/** Whether a unit of work switches the feed of its client. */
export function hasSwitchedFeed(uow: UnitOfWork): boolean {
  return switching.has(uow);
}

/** Collects the changes of a unit of work from now on. */
export function collectChanges(uow: UnitOfWork): void {
  collected.set(uow, { changes: [], journalBatchIds: [] });
}

/** Whether the changes of a unit of work are collected: otherwise nobody need make them. */
export function collectsChanges(uow: UnitOfWork): boolean {
  return collected.has(uow);
}

/**
 * Adds changes to the feed of the client, in their order; without a feed it does nothing. The feed has them if the transaction commits. The
 * caller has locked what it changes.
 */
export function addToFeed(uow: UnitOfWork, changes: () => readonly FedChange[]): void {
  collected.get(uow)?.changes.push(...changes());
}

/** Adds the progress of a batch of the journal to the feed of the client, for its streams of accounts. */
export function addProgressToFeed(uow: UnitOfWork, journalBatchId: string): void {
  collected.get(uow)?.journalBatchIds.push(journalBatchId);
}

/** The lines that a unit of work has collected so far; undefined for none. */
export function collectedIn(uow: UnitOfWork): FedLines | undefined {
  const lines = collected.get(uow);
  return lines && lines.changes.length + lines.journalBatchIds.length > 0 ? lines : undefined;
}
