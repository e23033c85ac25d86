import type { MessageInitShape } from '@bufbuild/protobuf';
import type { GetFeedRequest, GetFeedResponseSchema } from '../../gen/laurel/v1/feed_service_pb.ts';
import type { Account } from '../accounts/account.ts';
import { findOrCreateAccount } from '../accounts/resolve-accounts.ts';
import type { Principal } from '../clients/principal.ts';
import { periodKeysAt } from '../engine/catalog.ts';
import { type AssignmentView, viewMission } from '../engine/view-mission.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Database, UnitOfWork } from '../persistence/database.ts';
import { feedItem } from './assignment-message.ts';
import type { Catalogs, ClientCatalog } from './catalog.ts';
import { claimableCampaignIds } from './completions.queries.ts';
import { liveAccounts } from './live-accounts.ts';

/** Gives what an account is asked to do: proto FeedService.GetFeed. Computed from memberships and definitions, not stored. */
export function getFeed(
  db: Database,
  catalogs: Catalogs,
  principal: Principal,
  { accountId: id, idType }: GetFeedRequest,
  clock: Clock,
): Promise<MessageInitShape<typeof GetFeedResponseSchema>> {
  const now = clock();
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await findOrCreateAccount(uow, { id, idType }, { now });
    const catalog = await catalogs(uow);
    const views = await viewsOf(uow, catalog, account, now);
    const claimable = await claimableAmong(uow, catalog, account);
    return {
      items: views.map((view) => feedItem(catalog, view, claimable.has(campaignIdOf(catalog, view)))),
    };
  });
}

async function viewsOf(uow: UnitOfWork, catalog: ClientCatalog, account: Account, now: Date): Promise<AssignmentView[]> {
  const plans = [...catalog.rules.missions.values()];
  const periodKeys = periodKeysAt({ plans, missionIds: [] }, account.timeZone ?? catalog.timeZone, now.getTime());
  const live = (await liveAccounts(uow, catalog, [account], { periodKeys })).get(account.id)!;
  return plans.flatMap((plan) => viewMission(plan, live, now.getTime()) ?? []);
}

/** Asked only where a campaign waits for claims at all. */
async function claimableAmong(uow: UnitOfWork, catalog: ClientCatalog, account: Account): Promise<Set<string>> {
  const isExplicit = catalog.rules.campaigns.values().some((campaign) => campaign.claimPolicy === 'EXPLICIT');
  return isExplicit ? claimableCampaignIds(uow, account.id) : new Set();
}

function campaignIdOf(catalog: ClientCatalog, view: AssignmentView): string {
  return catalog.rules.missions.get(view.missionId)?.campaign?.campaignId ?? '';
}
