import type { DescService } from '@bufbuild/protobuf';
import type { Logger } from 'pino';
import { AccountAdminService } from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { AlertAdminService } from '../../gen/laurel/admin/v1/alert_admin_service_pb.ts';
import { AgreementAdminService } from '../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { AuditAdminService } from '../../gen/laurel/admin/v1/audit_admin_service_pb.ts';
import { AudienceAdminService } from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { CampaignAdminService } from '../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { ChestAdminService } from '../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { ClientAdminService } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { ConsoleUserAdminService } from '../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import { CredentialAdminService } from '../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { DeadTriggerAdminService } from '../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import { AccountAttributeAdminService } from '../../gen/laurel/admin/v1/account_attribute_admin_service_pb.ts';
import { EventDefinitionAdminService } from '../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { ExportAdminService } from '../../gen/laurel/admin/v1/export_admin_service_pb.ts';
import { ImportAdminService } from '../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { ExpressionAdminService } from '../../gen/laurel/admin/v1/expression_admin_service_pb.ts';
import { JournalAdminService } from '../../gen/laurel/admin/v1/journal_admin_service_pb.ts';
import { LoyaltyAdminService } from '../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import { MissionAdminService } from '../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { ProductAdminService } from '../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { PublicationAdminService } from '../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { RewardAdminService } from '../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { RefusedCallAdminService } from '../../gen/laurel/admin/v1/refused_call_admin_service_pb.ts';
import { SessionService } from '../../gen/laurel/admin/v1/session_service_pb.ts';
import { StatisticsAdminService } from '../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { TimelineAdminService } from '../../gen/laurel/admin/v1/timeline_admin_service_pb.ts';
import { WebhookAdminService } from '../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { AudienceService } from '../../gen/laurel/v1/audience_service_pb.ts';
import { CampaignService } from '../../gen/laurel/v1/campaign_service_pb.ts';
import { BadgeService } from '../../gen/laurel/v1/badge_service_pb.ts';
import { StreakFreezeService } from '../../gen/laurel/v1/streak_freeze_service_pb.ts';
import { VacationService } from '../../gen/laurel/v1/vacation_service_pb.ts';
import { ChestService } from '../../gen/laurel/v1/chest_service_pb.ts';
import { FeedService } from '../../gen/laurel/v1/feed_service_pb.ts';
import { LoyaltyService } from '../../gen/laurel/v1/loyalty_service_pb.ts';
import { MarketplaceService } from '../../gen/laurel/v1/marketplace_service_pb.ts';
import { RedemptionService } from '../../gen/laurel/v1/redemption_service_pb.ts';
import { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { WebhookEndpointService } from '../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import { WebhookService } from '../../gen/laurel/v1/webhook_service_pb.ts';
import type { CauseReaders } from '../activity/causes.ts';
import { partsOfAccount } from './parts-of-account.ts';
import { timelineOfAccount } from './timeline-of-account.ts';
import { accountCounter } from '../accounts/count-accounts.ts';
import { accountsService } from '../accounts/accounts.service.ts';
import { accountMergesService } from '../merging/account-merges.service.ts';
import { AccountMergeService } from '../../gen/laurel/v1/account_merge_service_pb.ts';
import type { Channels } from '../alerts/delivery/send-alert.ts';
import { alertAdminService } from '../alerts/operations/alert-admin.service.ts';
import { audienceAdminService } from '../audiences/audience-admin.service.ts';
import { audiencesService } from '../audiences/audiences.service.ts';
import { auditAdminService } from '../audit/audit-admin.service.ts';
import { campaignAdminService } from '../campaigns/campaigns/campaign-admin.service.ts';
import { countActiveCampaigns, unknownCampaigns } from '../campaigns/campaigns/campaigns.queries.ts';
import { campaignsService } from '../campaigns/offered/campaigns.service.ts';
import { createCampaignClaimBatcher } from '../campaigns/completion/claim-campaigns.ts';
import { offeredRewards } from '../campaigns/offered/offered-rewards.ts';
import { accountAttributeAdminService } from '../campaigns/account-attributes/account-attribute-admin.service.ts';
import { checkFormula } from '../campaigns/formulas/check-formula.ts';
import { eventDefinitionAdminService } from '../campaigns/event-definitions/event-definition-admin.service.ts';
import { streakFreezesService } from '../campaigns/freezes/streak-freezes.service.ts';
import { reviewAgain } from '../campaigns/streak-risks/streak-risks.queries.ts';
import { vacationsService } from '../campaigns/vacations/vacations.service.ts';
import { feedService } from '../campaigns/feed/feed.service.ts';
import { missionAdminService } from '../campaigns/missions/mission-admin.service.ts';
import { pendingPointsOf } from '../campaigns/feed/pending-points.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { allUsesOfAudience, usesOfAudienceName } from '../campaigns/audience-names-in-use.ts';
import { usesOfReward } from '../campaigns/uses.queries.ts';
import { type Handlers, withCalls } from '../clients/call.ts';
import { clientAdminService } from '../clients/client-admin.service.ts';
import { credentialAdminService } from '../clients/credentials/credential-admin.service.ts';
import { type SessionOptions, sessionService } from '../clients/sessions/session.service.ts';
import { consoleUserAdminService } from '../clients/users/console-user-admin.service.ts';
import { withMaskedCodes } from '../clients/with-masked-codes.ts';
import { exportAdminService } from '../imports/exports/export-admin.service.ts';
import type { ImportQuota } from '../imports/import-quota.ts';
import { importAdminService } from '../imports/import-admin.service.ts';
import type { ImportWorker } from '../imports/worker/import-worker.ts';
import { expressionAdminService } from '../campaigns/expressions/expression-admin.service.ts';
import { oldestEntryAt } from '../journal/journal-batches.ts';
import { recentEvents } from '../journal/recent-events.ts';
import type { Journaling } from '../journal/journal.queries.ts';
import { journalAdminService } from '../journal/journal-admin.service.ts';
import type { Clock } from '../kernel/time/clock.ts';
import type { SecretBox } from '../kernel/secrets/secret-box.ts';
import { agreementAdminService } from '../marketplace/agreements/agreement-admin.service.ts';
import { marketplaceService } from '../marketplace/marketplace.service.ts';
import { createOrderBatcher } from '../marketplace/orders/run-orders.ts';
import { publicationAdminService } from '../marketplace/publications/publication-admin.service.ts';
import { publicationsOfProduct } from '../marketplace/publications/publications.queries.ts';
import { releaseReservations } from '../marketplace/reservations/release-reservations.ts';
import type { Database } from '../persistence/database.ts';
import { redemptionService } from '../redemptions/redemption.service.ts';
import { badgeService } from '../rewards/badges/badge.service.ts';
import { chestAdminService } from '../rewards/chests/chest-admin.service.ts';
import { chestService } from '../rewards/chests/chest.service.ts';
import { countEarnedPoints, countEarnedRewards } from '../leaderboards/entries/count-earned-points.ts';
import { createChestBatcher } from '../rewards/chests/open-chests.ts';
import { loyaltyAdminService } from '../loyalty/loyalty-admin.service.ts';
import { type LoyaltyOptions, loyaltyService } from '../loyalty/loyalty.service.ts';
import { cancelRedemption } from '../rewards/products/redeeming/cancel-redemption.ts';
import { productAdminService } from '../rewards/products/product-admin.service.ts';
import { countPendingStock } from '../rewards/products/products.queries.ts';
import { dropPendingRewards } from '../rewards/delivery/drop-pending-rewards.ts';
import { getRedeemableProduct } from '../rewards/products/redeeming/get-redeemable-product.ts';
import { listRedeemableProducts } from '../rewards/products/redeeming/list-redeemable-products.ts';
import { redeemProduct } from '../rewards/products/redeeming/redeem-product.ts';
import { createProductOrders } from '../rewards/products/redeeming/redeem-products.ts';
import type { CallCollector } from '../refused-calls/collect-calls.ts';
import { refusedCallAdminService } from '../refused-calls/refused-call-admin.service.ts';
import { rewardAdminService } from '../rewards/definitions/reward-admin.service.ts';
import { accountAdminService } from '../support/account-admin.service.ts';
import { timelineAdminService } from '../timeline/timeline-admin.service.ts';
import { deadTriggerAdminService } from '../triggers/inbox/dead-trigger-admin.service.ts';
import { dropSuspended } from '../triggers/suspended/release-suspended.ts';
import { createReversalBatcher } from '../triggers/reversals/reversal-batcher.ts';
import { triggersService } from '../triggers/triggers.service.ts';
import { statisticDefinitionAdminService } from '../statistics/definitions/statistic-definition-admin.service.ts';
import { statisticsService } from '../statistics/statistics.service.ts';
import { usesOfNames } from '../campaigns/attributes-in-use.ts';
import { eventDeclarations } from '../campaigns/event-definitions/event-definitions.queries.ts';
import { LevelTrackAdminService } from '../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import { LevelService } from '../../gen/laurel/v1/level_service_pb.ts';
import { LeaderboardAdminService } from '../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { LeaderboardService } from '../../gen/laurel/v1/leaderboard_service_pb.ts';
import { leaderboardAdminService } from '../leaderboards/definitions/leaderboard-admin.service.ts';
import {
  leaderboardsOfAudience,
  leaderboardsOfStatistics,
  leaderboardsWithReward,
} from '../leaderboards/definitions/leaderboards.queries.ts';
import { leaveLeaderboards } from '../leaderboards/entries/rank-accounts.ts';
import { leaderboardsService } from '../leaderboards/leaderboards.service.ts';
import { levelsService } from '../levels/levels.service.ts';
import { levelTrackAdminService } from '../levels/tracks/level-track-admin.service.ts';
import { tracksOfStatistics, tracksWithReward } from '../levels/tracks/level-tracks.queries.ts';
import { requireGivenRewards } from '../rewards/definitions/given-rewards.ts';
import { StatisticDefinitionAdminService } from '../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import { StatisticService } from '../../gen/laurel/v1/statistic_service_pb.ts';
import { statisticsAdminService } from '../activity/statistics-admin.service.ts';
import type { ActivityCounters } from '../activity/activity-counters.ts';
import { webhookAdminService } from '../webhooks/delivery/webhook-admin.service.ts';
import { webhookEndpointsService } from '../webhooks/endpoints/webhook-endpoints.service.ts';
import { webhooksService } from '../webhooks/configuration/webhooks.service.ts';
import { AccountTokenService } from '../../gen/laurel/v1/account_token_service_pb.ts';
import { accountTokensService } from '../accounts/tokens/account-tokens.service.ts';
import { ChangeService } from '../../gen/laurel/v1/change_service_pb.ts';
import { csvText } from '../imports/files/csv/csv-text.ts';
import type { AccountStreams } from '../changes/watching/account-streams.ts';
import type { FeedEnds } from '../changes/feed-ends.ts';
import { changesService } from '../changes/changes.service.ts';
import type { TokenWatch } from '../clients/account-tokens/token-watch.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import type { Operations } from '../server/rpc/operations.ts';
import type { Emitter } from '../triggers/emitter.ts';
import type { Inbox } from '../triggers/inbox/inbox.ts';
import type { LargeClients } from '../triggers/large-clients.ts';
import type { Dispatcher } from '../webhooks/delivery/dispatcher.ts';
import type { WebhookSender } from '../webhooks/delivery/webhook-sender.ts';

/** The dependencies that the modules' services share. */
export type ServiceDependencies = {
  readonly db: Database;
  readonly clock: Clock;
  readonly triggerConcurrency: number;
  readonly catalogs: Catalogs;
  readonly dispatcher: Dispatcher;
  readonly emitter: Emitter;
  readonly inbox: Inbox;
  readonly largeClients: LargeClients;
  /** The way in which the journal records events; false without a journal. */
  readonly journal: Journaling | false | undefined;
  readonly importWorker: ImportWorker;
  readonly secrets: SecretBox;
  /** The keys of account tokens. */
  readonly accountTokens: TokenWatch;
  /** The ends of feeds, for those that follow one. */
  readonly feedEnds: FeedEnds;
  readonly accountStreams: AccountStreams;
  readonly activityCounters: ActivityCounters;
  readonly callCollector: CallCollector;
  readonly sender: WebhookSender;
  readonly allowPrivate: boolean;
  readonly requireTls: boolean;
  readonly logger: Logger;
  /** The limits of one client for staged files. */
  readonly importQuota: ImportQuota;
  readonly sessions: SessionOptions;
  /** The means of sending alerts. */
  readonly alertChannels: Channels;
  /** The causes that need attention. */
  readonly causes: CauseReaders;
};

/** Adds every service of every module to the operations: first those for integrators, then those for administrators. */
export function addServices(operations: Operations, machinery: ServiceDependencies): void {
  const { db, catalogs, dispatcher, emitter, inbox, importWorker, secrets, activityCounters, sender } = machinery;
  const { clock, triggerConcurrency, largeClients, journal, allowPrivate, requireTls, logger } = machinery;
  const add = <Desc extends DescService>(service: Desc, handlers: Handlers<Desc>) =>
    operations.add(service, withMaskedCodes(service, withCalls({ db, clock }, handlers)));
  const batching = { db, clock, concurrency: triggerConcurrency };

  const removal = {
    parts: partsOfAccount,
    releasers: [dropPendingRewards, releaseReservations, dropSuspended, leaveLeaderboards],
  };
  add(AccountTokenService, accountTokensService(machinery.accountTokens));
  const movers = [reviewAgain];
  add(AccountService, accountsService({ ...removal, movers }));
  add(AccountMergeService, accountMergesService({ catalogs, dispatcher, parts: partsOfAccount }));
  add(AudienceService, audiencesService);
  add(CampaignService, campaignsService(createCampaignClaimBatcher({ ...batching, catalogs, dispatcher }), catalogs));
  add(BadgeService, badgeService);
  add(
    ChestService,
    chestService(createChestBatcher({ ...batching, countEarned: countEarnedRewards }), offeredRewards(catalogs)),
  );
  add(FeedService, feedService(catalogs));
  add(StreakFreezeService, streakFreezesService(catalogs));
  add(VacationService, vacationsService(catalogs));
  const productOrders = createProductOrders(batching);
  const loyalty: LoyaltyOptions = {
    redeemProduct: (call, request) => redeemProduct(call, request, productOrders),
    pendingPoints: pendingPointsOf(catalogs),
    getRedeemableProduct,
    listRedeemableProducts,
  };
  add(LoyaltyService, loyaltyService(loyalty));
  add(MarketplaceService, marketplaceService({ orders: createOrderBatcher({ ...batching, dispatcher }), dispatcher }));
  add(RedemptionService, redemptionService);
  add(StatisticService, statisticsService);
  add(LevelService, levelsService);
  add(LeaderboardService, leaderboardsService);
  const reversals = createReversalBatcher({ ...batching, catalogs, dispatcher });
  const backfill = { catalogs, dispatcher, largeClients, journal };
  add(TriggerService, triggersService({ emitter, inbox, reversals, catalogs, backfill }));
  add(WebhookService, webhooksService({ secrets, sender, allowPrivate, requireTls, logger }));
  add(ChangeService, changesService({ ends: machinery.feedEnds, streams: machinery.accountStreams, csvText }));
  add(WebhookEndpointService, webhookEndpointsService({ secrets, sender, allowPrivate, unknownCampaigns }));

  add(AccountAdminService, accountAdminService({ ...removal, movers, catalogs, dispatcher, inbox }));
  add(AlertAdminService, alertAdminService({ ...machinery.alertChannels, secrets, allowPrivate }));
  add(AgreementAdminService, agreementAdminService);
  add(JournalAdminService, journalAdminService(catalogs));
  add(RefusedCallAdminService, refusedCallAdminService(machinery.callCollector));
  add(TimelineAdminService, timelineAdminService(timelineOfAccount(catalogs)));
  const usesOfAudiences: typeof allUsesOfAudience = async (uow, id, at) => [
    ...(await allUsesOfAudience(uow, id, at)),
    ...(await leaderboardsOfAudience(uow, id)),
  ];
  add(AudienceAdminService, audienceAdminService(usesOfAudiences, usesOfAudienceName));
  add(AuditAdminService, auditAdminService);
  add(ClientAdminService, clientAdminService);
  add(ConsoleUserAdminService, consoleUserAdminService);
  add(SessionService, sessionService(clock, machinery.sessions));
  add(CredentialAdminService, credentialAdminService);
  add(CampaignAdminService, campaignAdminService(catalogs, recentEvents));
  add(ChestAdminService, chestAdminService);
  add(ExportAdminService, exportAdminService(partsOfAccount, catalogs));
  add(ImportAdminService, importAdminService(importWorker, machinery.importQuota));
  add(LoyaltyAdminService, loyaltyAdminService(cancelRedemption, countEarnedPoints));
  add(MissionAdminService, missionAdminService());
  add(ExpressionAdminService, expressionAdminService(catalogs, recentEvents));
  add(ProductAdminService, productAdminService(dispatcher, publicationsOfProduct));
  add(PublicationAdminService, publicationAdminService(dispatcher));
  const usesOfRewards: typeof usesOfReward = async (uow, id, at) => [
    ...(await usesOfReward(uow, id, at)),
    ...(await tracksWithReward(uow, id)),
    ...(await leaderboardsWithReward(uow, id)),
  ];
  add(RewardAdminService, rewardAdminService(dispatcher, usesOfRewards, checkFormula));
  const totals = {
    accounts: accountCounter(),
    activeCampaigns: countActiveCampaigns,
    pendingStock: countPendingStock,
  };
  add(StatisticsAdminService, statisticsAdminService({ activityCounters, totals, causes: machinery.causes }));
  const usesOfStatistics = async (uow: UnitOfWork, names: readonly string[], at: Date) => [
    ...(await usesOfNames(uow, names, at)),
    ...(await tracksOfStatistics(uow, names)),
    ...(await leaderboardsOfStatistics(uow, names)),
  ];
  add(
    StatisticDefinitionAdminService,
    statisticDefinitionAdminService({ declarations: eventDeclarations, oldestEntryAt, usesOfNames: usesOfStatistics }),
  );
  add(LeaderboardAdminService, leaderboardAdminService);
  add(LevelTrackAdminService, levelTrackAdminService({ requireRewards: requireGivenRewards, usesOfNames }));
  add(WebhookAdminService, webhookAdminService(dispatcher));
  add(DeadTriggerAdminService, deadTriggerAdminService(inbox));
  add(EventDefinitionAdminService, eventDefinitionAdminService);
  add(AccountAttributeAdminService, accountAttributeAdminService);
}
