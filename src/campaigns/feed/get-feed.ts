import { create } from '@bufbuild/protobuf';
import type { FeedItem } from '../../../gen/laurel/v1/assignment_pb.ts';
import {
  type GetFeedRequest,
  type GetFeedResponse,
  GetFeedResponseSchema,
} from '../../../gen/laurel/v1/feed_service_pb.ts';
import { type Account, unstoredAccount } from '../../accounts/account.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import { findOrCreateAccount } from '../../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../../clients/call.ts';
import { periodKeysAt } from '../../engine/catalog.ts';
import { type AssignmentView, viewMission } from '../../engine/missions/view-mission.ts';
import { inTimeSlices, type Steps } from '../../kernel/concurrency/time-slices.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { matchFilter } from '../../persistence/lists/match-filter.ts';
import type { Catalogs, ClientCatalog } from '../catalog/catalog.ts';
import { MISSION_TYPES } from '../missions/mission-types.ts';
import { claimableCampaigns } from '../completion/claimable-campaigns.ts';
import { feedItem } from './feed-item.ts';
import { calendarOfAccount, loadAccountContext } from '../assignments/account-contexts.ts';

/** Returns the open items of an account: proto FeedService.GetFeed. They are computed from memberships and definitions, not stored. */
export async function getFeed(
  { db, principal, now, context }: Call,
  { accountId, idType, filters }: GetFeedRequest,
  catalogs: Catalogs,
): Promise<GetFeedResponse> {
  const isWanted = feedFilter(filters);
  // A HEAD for an unknown account is answered as for a new account, without creating it.
  const isHead = context.requestMethod === 'HEAD';
  const itemsOf = async (uow: UnitOfWork, account: Account) => {
    const catalog = await catalogs(uow);
    const [all, claimable] = await Promise.all([
      viewsOf(uow, catalog, account, now),
      claimableCampaigns(uow, catalog, account.id),
    ]);
    const views = all.filter((view) => isWanted({ view, catalog }));
    return create(GetFeedResponseSchema, { items: await inTimeSlices(itemSteps(catalog, views, claimable)) });
  };
  const known = await db.read(principal.clientId, async (uow) => {
    const [found] = await Promise.all([findAccountToRead(uow, { accountId, idType }), catalogs(uow)]);
    const account = found ?? (isHead ? unstoredAccount(accountId, now) : undefined);
    return account && itemsOf(uow, account);
  });
  if (known) return known;
  return db.unitOfWork(principal.clientId, async (uow) =>
    itemsOf(uow, await findOrCreateAccount(uow, { accountId, idType }, { now })),
  );
}

/** Missions in one step of building a feed. */
const MISSIONS_PER_STEP = 50;

function* itemSteps(
  catalog: ClientCatalog,
  views: readonly AssignmentView[],
  claimable: ReadonlyMap<string, Date>,
): Steps<FeedItem[]> {
  const items: FeedItem[] = [];
  for (const view of views) {
    const isClaimable = claimable.has(campaignIdOf(catalog, view) ?? '');
    items.push(feedItem(catalog, view, isClaimable));
    if (items.length % MISSIONS_PER_STEP === 0) yield;
  }
  return items;
}

async function viewsOf(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  account: Account,
  now: Date,
): Promise<AssignmentView[]> {
  const plans = [...catalog.rules.missions.values()];
  const periodKeys = periodKeysAt({ plans }, () => calendarOfAccount(catalog, account), now.getTime());
  const context = await loadAccountContext(uow, { account, catalog, now, periodKeys });
  return inTimeSlices(viewSteps());

  function* viewSteps(): Steps<AssignmentView[]> {
    const views: AssignmentView[] = [];
    for (const [index, plan] of plans.entries()) {
      const view = viewMission(plan, context, now.getTime());
      if (view) views.push(view);
      if (index % MISSIONS_PER_STEP === MISSIONS_PER_STEP - 1) yield;
    }
    return views;
  }
}

/** The filter fields of the feed, with their values in an item. */
type FeedEntry = { readonly view: AssignmentView; readonly catalog: ClientCatalog };

const FEED_FIELDS = {
  status: { kind: 'enum', values: ['ACTIVE', 'COMPLETED', 'EXPIRED'], of: ({ view }: FeedEntry) => view.status },
  type: {
    kind: 'enum',
    values: MISSION_TYPES,
    of: ({ view, catalog }: FeedEntry) => catalog.rules.missions.get(view.missionId)?.type,
  },
  campaignId: { kind: 'uuid', of: ({ view, catalog }: FeedEntry) => campaignIdOf(catalog, view) },
} as const;

/** The filter of a feed: without a condition on the status only ACTIVE items pass; with one, the conditions decide. */
function feedFilter(filters: GetFeedRequest['filters']): (entry: FeedEntry) => boolean {
  const matches = matchFilter<FeedEntry>(filters, FEED_FIELDS);
  if (filters?.filters.some(({ field }) => field === 'status')) return matches;
  return (entry) => entry.view.status === 'ACTIVE' && matches(entry);
}

function campaignIdOf(catalog: ClientCatalog, view: AssignmentView): string | undefined {
  return catalog.rules.missions.get(view.missionId)?.campaign?.campaignId;
}
