import { erasureTable } from '../accounts/erasure/account-erasure.entity.ts';
import { accountTokenKeyTable } from '../clients/account-tokens/account-token-key.entity.ts';
import { accountTable } from '../accounts/account.entity.ts';
import { alertChannelTable } from '../alerts/alert-channel.entity.ts';
import { alertSettingTable } from '../alerts/alert-setting.entity.ts';
import { alertTable } from '../alerts/alert.entity.ts';
import { audienceMemberTable } from '../audiences/members/audience-member.entity.ts';
import { audienceTable } from '../audiences/audience.entity.ts';
import { formerMembershipTable } from '../audiences/members/former-membership.entity.ts';
import { auditEntryTable } from '../audit/audit-entry.entity.ts';
import { assignmentTable } from '../campaigns/assignments/assignment.entity.ts';
import { streakRiskTable } from '../campaigns/streak-risks/streak-risk.entity.ts';
import { streakFreezeTable } from '../campaigns/freezes/streak-freeze.entity.ts';
import { vacationTable } from '../campaigns/vacations/vacation.entity.ts';
import { campaignCompletionTable } from '../campaigns/completion/campaign-completion.entity.ts';
import { campaignTable } from '../campaigns/campaigns/campaign.entity.ts';
import { eventDefinitionTable } from '../campaigns/event-definitions/event-definition.entity.ts';
import { missionTable } from '../campaigns/missions/mission.entity.ts';
import { clientTable } from '../clients/client.entity.ts';
import { consoleDeviceTable } from '../clients/sign-in/console-device.entity.ts';
import { consoleSessionTable } from '../clients/sessions/console-session.entity.ts';
import { consoleTokenTable } from '../clients/sessions/console-token.entity.ts';
import { auditCheckpointTable } from '../audit/chain/audit-checkpoint.entity.ts';
import { auditSealTable } from '../audit/chain/audit-seal.entity.ts';
import { failedSignInTable } from '../clients/sign-in/failed-sign-in.entity.ts';
import { housekeepingRoundTable } from '../housekeeping/clock/housekeeping-round.entity.ts';
import { signInAttemptTable } from '../clients/sign-in/sign-in-attempt.entity.ts';
import { consoleUserTable } from '../clients/users/console-user.entity.ts';
import { credentialTable } from '../clients/credentials/credential.entity.ts';
import { accountOutlierTable } from '../outliers/account-outlier.entity.ts';
import { outlierMeasurementTable } from '../outliers/outlier-measurement.entity.ts';
import { csvImportEntryTable } from '../imports/events/csv-import-entry.entity.ts';
import { csvImportEventTable } from '../imports/events/csv-import-event.entity.ts';
import { csvImportChunkTable } from '../imports/csv-import-chunk.entity.ts';
import { csvImportRefusalTable } from '../imports/csv-import-refusal.entity.ts';
import { csvImportTable } from '../imports/csv-import.entity.ts';
import { callCountTable } from '../refused-calls/call-count.entity.ts';
import { refusedCallTable } from '../refused-calls/refused-call.entity.ts';
import { journalBatchTable } from '../journal/journal-batch.entity.ts';
import { pointBalanceTable } from '../loyalty/point-balance.entity.ts';
import { pointEntryTable } from '../loyalty/point-entry.entity.ts';
import { pointLotTable } from '../loyalty/point-lot.entity.ts';
import { agreementTable } from '../marketplace/agreements/agreement.entity.ts';
import { publicationTable } from '../marketplace/publications/publication.entity.ts';
import { reservationTable } from '../marketplace/reservations/reservation.entity.ts';
import { redemptionTable } from '../redemptions/redemption.entity.ts';
import { chestDefinitionTable } from '../rewards/chests/chest-definition.entity.ts';
import { chestTable } from '../rewards/chests/chest.entity.ts';
import { earnedRewardTable } from '../rewards/delivery/earned-reward.entity.ts';
import { fragmentBalanceTable } from '../rewards/fragments/fragment-balance.entity.ts';
import { productCodeTable } from '../rewards/products/codes/product-code.entity.ts';
import { productItemTable } from '../rewards/products/product-item.entity.ts';
import { productTable } from '../rewards/products/product.entity.ts';
import { rewardTable } from '../rewards/definitions/reward.entity.ts';
import { operationTable } from '../idempotency/operation.entity.ts';
import { refusalTable } from '../idempotency/refusal.entity.ts';
import { accountStatisticDayTable } from '../statistics/values/account-statistic-day.entity.ts';
import { accountStatisticMissionTable } from '../statistics/values/account-statistic-mission.entity.ts';
import { accountStatisticEventTable } from '../statistics/values/account-statistic-event.entity.ts';
import { accountStatisticTable } from '../statistics/values/account-statistic.entity.ts';
import { deletedStatisticTable } from '../statistics/definitions/deleted-statistic.entity.ts';
import { statisticDefinitionTable } from '../statistics/definitions/statistic-definition.entity.ts';
import { accountLevelTable } from '../levels/accounts/account-level.entity.ts';
import { deletedLevelTrackTable } from '../levels/tracks/deleted-level-track.entity.ts';
import { deletedLeaderboardRunTable } from '../leaderboards/definitions/deleted-leaderboard-run.entity.ts';
import { leaderboardTable } from '../leaderboards/definitions/leaderboard.entity.ts';
import { hiddenAccountTable } from '../leaderboards/entries/hidden-account.entity.ts';
import { leaderboardEntryTable } from '../leaderboards/entries/leaderboard-entry.entity.ts';
import { leaderboardPlaceTable } from '../leaderboards/leagues/leaderboard-place.entity.ts';
import { leaderboardStandingTable } from '../leaderboards/leagues/leaderboard-standing.entity.ts';
import { leaderboardDeltaTable } from '../leaderboards/ranks/leaderboard-delta.entity.ts';
import { leaderboardRangeTable } from '../leaderboards/ranks/leaderboard-range.entity.ts';
import { leaderboardRunTable } from '../leaderboards/runs/leaderboard-run.entity.ts';
import { levelTrackTable } from '../levels/tracks/level-track.entity.ts';
import { changeBatchTable } from '../changes/change-batch.entity.ts';
import { changeFeedTable } from '../changes/change-feed.entity.ts';
import { statisticHourTable } from '../activity/statistic-hour.entity.ts';
import { triggerBatchTable } from '../triggers/inbox/trigger-batch.entity.ts';
import { triggerInboxTable } from '../triggers/inbox/trigger-inbox.entity.ts';
import { suspendedTriggerTable } from '../triggers/suspended/suspended-trigger.entity.ts';
import { accountMergeTable } from '../merging/account-merge.entity.ts';
import { triggerReversalTable } from '../triggers/reversals/trigger-reversal.entity.ts';
import { outboxMessageTable } from '../webhooks/outbox/outbox-message.entity.ts';
import { webhookConfigurationTable } from '../webhooks/configuration/webhook-configuration.entity.ts';
import { webhookEndpointTable } from '../webhooks/endpoints/webhook-endpoint.entity.ts';
import { webhookRetryTable } from '../webhooks/retries/webhook-retry.entity.ts';
import { webhookDeliveryTable } from '../webhooks/delivery/webhook-delivery.entity.ts';

/** Every table of the service. It is in `app`, because only `app` may know all modules. */
export const entities = [
  clientTable,
  changeFeedTable,
  changeBatchTable,
  credentialTable,
  consoleUserTable,
  consoleSessionTable,
  consoleTokenTable,
  consoleDeviceTable,
  auditCheckpointTable,
  auditSealTable,
  failedSignInTable,
  signInAttemptTable,
  housekeepingRoundTable,
  auditEntryTable,
  accountTokenKeyTable,
  accountTable,
  erasureTable,
  audienceTable,
  audienceMemberTable,
  formerMembershipTable,
  eventDefinitionTable,
  campaignTable,
  missionTable,
  assignmentTable,
  streakFreezeTable,
  streakRiskTable,
  vacationTable,
  campaignCompletionTable,
  productTable,
  productItemTable,
  productCodeTable,
  rewardTable,
  earnedRewardTable,
  fragmentBalanceTable,
  chestDefinitionTable,
  chestTable,
  pointBalanceTable,
  pointEntryTable,
  pointLotTable,
  redemptionTable,
  agreementTable,
  publicationTable,
  reservationTable,
  operationTable,
  refusalTable,
  callCountTable,
  refusedCallTable,
  journalBatchTable,
  triggerInboxTable,
  triggerBatchTable,
  suspendedTriggerTable,
  triggerReversalTable,
  accountMergeTable,
  csvImportTable,
  csvImportChunkTable,
  csvImportRefusalTable,
  csvImportEventTable,
  csvImportEntryTable,
  webhookConfigurationTable,
  webhookEndpointTable,
  outboxMessageTable,
  webhookRetryTable,
  webhookDeliveryTable,
  statisticHourTable,
  statisticDefinitionTable,
  deletedStatisticTable,
  accountStatisticTable,
  accountStatisticDayTable,
  accountStatisticMissionTable,
  accountStatisticEventTable,
  levelTrackTable,
  leaderboardTable,
  deletedLeaderboardRunTable,
  leaderboardRunTable,
  leaderboardEntryTable,
  leaderboardRangeTable,
  leaderboardDeltaTable,
  leaderboardPlaceTable,
  leaderboardStandingTable,
  hiddenAccountTable,
  deletedLevelTrackTable,
  accountLevelTable,
  accountOutlierTable,
  outlierMeasurementTable,
  alertSettingTable,
  alertChannelTable,
  alertTable,
];
