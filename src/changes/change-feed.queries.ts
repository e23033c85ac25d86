import { propertiesOf, type RowOf } from '../persistence/columns-of.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { ARRIVED } from '../persistence/moments.ts';
import { changeFeedTable } from './change-feed.entity.ts';

const FEED = propertiesOf(changeFeedTable, ['keepDays', 'number', 'deletedUpTo', 'onSince']);

/** A feed as it is stored. */
type FeedRow = RowOf<typeof FEED>;

/** The feed of a client. */
export type Feed = {
  /** 0: the feed is off. */
  readonly keepDays: number;
  /** The number of the last numbered change. */
  readonly number: number;
  /** Changes up to this number are deleted. */
  readonly deletedUpTo: number;
  readonly onSince: Date | undefined;
};

/** A client that never had a feed. */
const NO_FEED: Feed = { keepDays: 0, number: 0, deletedUpTo: 0, onSince: undefined };

/** The ids of all clients whose feed is on, in a system unit of work. */
export async function clientsWithFeed(uow: UnitOfWork): Promise<string[]> {
  const rows = await uow.query<{ client_id: string }>('select client_id from change_feed where keep_days > 0');
  return rows.map(({ client_id }) => client_id);
}

/** The numbers of the last numbered changes of clients, in a system unit of work. */
export async function endsOfFeeds(uow: UnitOfWork, clientIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await uow.query<{ client_id: string; number: string }>(
    'select client_id, number from change_feed where client_id = any($1::uuid[])',
    [clientIds],
  );
  return new Map(rows.map((row) => [row.client_id, Number(row.number)]));
}

/** Whether the feed of the client is on. */
export async function isFeedOn(uow: UnitOfWork): Promise<boolean> {
  return (await selectFeed(uow)).keepDays > 0;
}

/** The feed of the client. */
export async function selectFeed(uow: UnitOfWork): Promise<Feed> {
  return feedOf(await uow.query<FeedRow>(`select ${FEED} from change_feed where client_id = $1`, [uow.clientId]));
}

/** The same, locked until the transaction ends; it waits for another one. */
export async function lockFeed(uow: UnitOfWork): Promise<Feed> {
  return feedOf(
    await uow.query<FeedRow>(`select ${FEED} from change_feed where client_id = $1 for update`, [uow.clientId]),
  );
}

/**
 * The number of the last numbered change, with the feed locked; undefined if another transaction has it. A separate statement, so that the
 * next one sees what the last holder committed.
 */
export async function tryToLockFeed(uow: UnitOfWork): Promise<number | undefined> {
  const [row] = await uow.query<{ number: string }>(
    'select number from change_feed where client_id = $1 for update skip locked',
    [uow.clientId],
  );
  return row && Number(row.number);
}

/** Sets the number of the last numbered change of the locked feed. */
export async function setNumber(uow: UnitOfWork, number: number): Promise<void> {
  await uow.query('update change_feed set number = $2::bigint where client_id = $1', [uow.clientId, number]);
}

/** Sets the number up to which the changes of the locked feed are deleted. */
export async function setDeletedUpTo(uow: UnitOfWork, number: number): Promise<void> {
  await uow.query('update change_feed set deleted_up_to = $2::bigint where client_id = $1', [uow.clientId, number]);
}

/** Stores the settings of a feed, and locks it. */
export async function saveFeed(uow: UnitOfWork, { keepDays, number, deletedUpTo, onSince }: Feed): Promise<void> {
  await uow.query(
    `insert into change_feed (client_id, keep_days, number, deleted_up_to, on_since, updated_at)
     values ($1, $2::int, $3::bigint, $4::bigint, $5::timestamptz, ${ARRIVED})
     on conflict (client_id) do update
       set keep_days = excluded.keep_days, number = excluded.number, deleted_up_to = excluded.deleted_up_to,
           on_since = excluded.on_since, updated_at = excluded.updated_at`,
    [uow.clientId, keepDays, number, deletedUpTo, onSince ?? null],
  );
}

function feedOf([row]: readonly FeedRow[]): Feed {
  if (row === undefined) return NO_FEED;
  return {
    keepDays: row.keepDays,
    number: Number(row.number),
    deletedUpTo: Number(row.deletedUpTo),
    onSince: row.onSince ?? undefined,
  };
}
