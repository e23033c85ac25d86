import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type {
  ListAccountTimelineRequest,
  ListAccountTimelineResponseSchema,
} from '../../gen/laurel/admin/v1/timeline_admin_service_pb.ts';
import { TimelineEntry_Kind as Kind } from '../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import { Account_IdType } from '../../gen/laurel/v1/account_pb.ts';
import { idsWithAliases } from '../accounts/resolving/aliases.queries.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import { interventionsIn } from '../audit/timeline-source.ts';
import type { Call } from '../clients/call.ts';
import { badRequest } from '../kernel/errors/domain-error.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { mergedPage, type MergedRow, type Source, type TimelinePosition } from './merge-sources.ts';

/** The default number of entries of a page. */
const LIMIT = 50;

/** Milliseconds since 1970, later than every moment, that fit into an id. */
const END = 2 ** 47;

/** The resource type in the audit log for each kind; kinds without changes by hand are left out. */
const RESOURCE_TYPES: Readonly<Partial<Record<Kind, string>>> = {
  [Kind.REWARD]: 'earnedReward',
  [Kind.POINTS]: 'pointEntry',
  [Kind.CHEST]: 'chest',
  [Kind.REDEMPTION]: 'redemption',
  [Kind.RESERVATION]: 'reservation',
  [Kind.STREAK_FREEZE]: 'streakFreezeEntry',
};

/** Lists what happened to an account: proto TimelineAdminService.ListAccountTimeline. */
export function listAccountTimeline(
  { db, principal: { clientId } }: Call,
  request: ListAccountTimelineRequest,
  sources: readonly Source[],
): Promise<MessageInitShape<typeof ListAccountTimelineResponseSchema>> {
  const { accountId, limit = LIMIT, cursor, kinds, since, until } = request;
  const wanted = kinds.length === 0 ? sources : sources.filter(({ kind }) => kinds.includes(kind as Kind));
  const within = { from: since ? microsOf(since) : 0, until: until ? microsOf(until) : END * PER_MS };
  const after = cursor ? positionFrom(cursor) : undefined;
  return db.unitOfWork(clientId, async (uow) => {
    const { id } = await requireAccount(uow, { accountId, idType: Account_IdType.INTERNAL });
    // One row more than requested shows whether a next page exists.
    const rows = await mergedPage(
      uow,
      wanted,
      { accountIds: await idsWithAliases(uow, id), after, ...within },
      limit + 1,
    );
    const shown = rows.slice(0, limit);
    return {
      rows: await messagesOf(uow, shown),
      nextCursor: rows.length > limit ? cursorOf(shown.at(-1)!) : undefined,
    };
  });
}

async function messagesOf(uow: UnitOfWork, rows: readonly MergedRow[]) {
  const things = rows.flatMap(({ kind, id }) => {
    const resourceType = RESOURCE_TYPES[kind as Kind];
    return resourceType === undefined ? [] : [{ resourceType, id }];
  });
  const interventions = await interventionsIn(uow, things);
  return rows.map(({ kind, id, at, content }) => ({
    kind: kind as Kind,
    id,
    happenedAt: timestampOf(at),
    what: content,
    interventions: interventions.get(id) ?? [],
  }));
}

const PER_MS = 1_000;
const PER_SECOND = 1_000_000;

/** Microseconds, clamped to the possible range; nanoseconds are cut off. */
function microsOf({ seconds, nanos }: Timestamp): number {
  return Math.min(Math.max(Number(seconds) * PER_SECOND + Math.floor(nanos / 1_000), 0), END * PER_MS);
}

function timestampOf(micros: number) {
  const seconds = Math.floor(micros / PER_SECOND);
  return { seconds: BigInt(seconds), nanos: (micros - seconds * PER_SECOND) * 1_000 };
}

function cursorOf({ at, kind, id }: TimelinePosition): string {
  return `${at}.${kind}.${id}`;
}

const CURSOR = /^(\d{1,18})\.(\d{1,3})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.\d{3})?)$/;

function positionFrom(cursor: string): TimelinePosition {
  const [, at, kind, id] = CURSOR.exec(cursor) ?? [];
  if (at === undefined || kind === undefined || id === undefined || Number(at) > END * PER_MS) {
    throw badRequest('cursor: Send `nextCursor` of an answer as it is, or leave it out for the first page.');
  }
  return { at: Number(at), kind: Number(kind), id };
}
