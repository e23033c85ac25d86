import { randomUUID } from 'node:crypto';
import type { Route } from '../../../src/gateway/route.ts';
import type { Kind, World } from './world.ts';

/** The fields of a request by their JSON names, with those of the path. */
export type Fields = Readonly<Record<string, unknown>>;

/** A valid request of a client, with the client's own resources. */
export type Sample = (of: World) => Fields;

const NOBODYS_ID = '00000000-0000-7000-8000-000000000000';
const page = (): Fields => ({ page: 1, limit: 1000 });
const none = (): Fields => ({});
const byId = (kind: Kind) => (of: World) => ({ id: of[kind] });
const ofAccount = (of: World) => ({ accountId: of.account });

/** A vacation from some days ahead until others. */
const daysAhead = (since: number, until: number) => {
  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  return { since: date(since), until: date(until) };
};

const event = (of: World) => ({ trigger: { programmaticCode: of.name, accountId: of.account } });
const changes = (of: World) => ({ name: of.name });
const edit = (of: World) => ({ version: 1, name: of.name });

/** A mission as an operator drafts it; a creation ignores its id. */
const mission = (of: World, id = NOBODYS_ID) => ({
  id,
  type: 'MISSION',
  name: of.name,
  programmaticCode: of.name,
  target: 1,
  rewardIds: [of.reward],
  conditions: { prerequisiteMissionIds: [of.mission] },
});
/** A statistic of the world's events. */
const statistic = (of: World, code = 'visits') => ({
  code,
  name: of.name,
  programmaticCode: of.name,
  aggregation: 'COUNT',
  period: 'MONTH',
});
/** A leaderboard over the world's statistic of all time. */
const leaderboard = (of: World) => ({
  name: of.name,
  statisticCode: 'visits_ranked',
  audienceIds: [of.audience],
  order: 'HIGHEST_FIRST',
  prizes: [{ lastRank: 3, rewardIds: [of.reward] }],
});
/** A run of the world's leaderboard. */
const leaderboardRun = (of: World) => ({ id: of.leaderboard, runId: of.leaderboardRun });
/** A level track over the world's other statistic. */
const levelTrack = (of: World, code = 'tier') => ({
  code,
  name: of.name,
  statisticCode: 'visits_kept',
  downgrade: 'ONE',
  atRiskDays: 3,
  levels: [
    { code: 'silver', threshold: 5, rewardIds: [of.reward] },
    { code: 'gold', threshold: 20, imageUrl: 'https://shop.example.com/images/gold.png' },
  ],
});
const campaign = (of: World, missionId?: string) => ({
  name: of.name,
  audienceIds: [of.audience],
  rewardIds: [of.reward],
  missions: [mission(of, missionId)],
});

const resend = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z', reason: 'It was away.' };
const webhookEndpoint = (of: World) => ({
  name: of.name,
  url: 'http://127.0.0.1:1/',
  types: ['MISSION_COMPLETED'],
  campaignIds: [of.campaign],
});

/**
 * Samples by `Service.method`; several if the ids that an operation takes exclude each other. A missing operation fails the tests that
 * cover all operations.
 */
const samples: Readonly<Record<string, Sample | readonly Sample[]>> = {
  'AccountService.resolveAccount': (of) => ({ externalId: of.externalId }),
  'AccountService.createAccount': none,
  'AccountService.getAccount': byId('account'),
  'AccountService.updateAccount': (of) => ({ id: of.account, account: changes(of) }),
  'AccountService.listAccounts': page,
  'AccountService.deleteAccount': byId('account'),
  'AccountService.eraseAccount': byId('account'),
  'AccountTokenService.createAccountToken': (of) => ({ ...ofAccount(of), permissions: ['READ'] }),
  'AccountTokenService.revokeAccountTokens': ofAccount,
  'ChangeService.listChanges': none,
  'ChangeService.getChangeFeed': none,
  'ChangeService.updateChangeFeed': () => ({ keepDays: 7 }),
  'AccountMergeService.mergeAccounts': (of) => ({
    accountId: of.guest,
    intoAccountId: of.account,
    progress: 'MAX',
  }),
  'AccountMergeService.listAccountMerges': ofAccount,
  'AccountMergeService.undoAccountMerge': (of) => ({ accountId: of.guest, mergeId: of.merge }),
  'AudienceService.assignAccounts': (of) => ({ audienceId: of.audience, accountIds: [of.account] }),
  'AudienceService.removeAccounts': (of) => ({ audienceId: of.audience, accountIds: [of.account] }),
  'AudienceService.listAudienceSummaries': page,
  'AudienceService.getAudienceSummary': byId('audience'),
  'AudienceService.listAudienceMemberships': (of) => ({ ...ofAccount(of), ...page() }),
  'CampaignService.claimCampaign': (of) => ({ campaignId: of.campaign, accountId: of.account }),
  'CampaignService.listClaimableCampaigns': ofAccount,
  'CampaignService.listOfferedCampaigns': page,
  'CampaignService.getOfferedCampaign': byId('campaign'),
  'ChestService.listChests': ofAccount,
  'ChestService.openChest': (of) => ({ id: of.chest, accountId: of.account }),
  'ChestService.listFragments': ofAccount,
  'ChestService.getChestOdds': byId('chest'),
  'ChestService.getChestDefinitionOdds': byId('chestDefinition'),
  'FeedService.getFeed': ofAccount,
  'FeedService.listMissionProgress': ofAccount,
  'FeedService.listCompletedMissions': ofAccount,
  'FeedService.listEarnedRewards': ofAccount,
  'LoyaltyService.getPoints': byId('account'),
  'LoyaltyService.listPointEntries': byId('account'),
  'LoyaltyService.listRedeemableProducts': (of) => ({ ...ofAccount(of), ...page() }),
  'LoyaltyService.getRedeemableProduct': byId('product'),
  'LoyaltyService.redeemProduct': (of) => ({ id: of.product, accountId: of.account }),
  'MarketplaceService.listReservations': (of) => ({ accountId: of.account, publicationId: of.publication }),
  'MarketplaceService.freezePublication': (of) => ({ publicationId: of.publication, accountId: of.account }),
  'MarketplaceService.unfreezePublication': (of) => ({
    publicationId: of.publication,
    accountId: of.account,
    reservationId: of.reservation,
  }),
  'MarketplaceService.redeemPublication': (of) => ({ id: of.publication, accountId: of.account }),
  'MarketplaceService.getPublication': byId('publication'),
  'MarketplaceService.listPublishedPublications': (of) => ({ ...ofAccount(of), ...page() }),
  'MarketplaceService.publishPublication': byId('publication'),
  'MarketplaceService.unpublishPublication': byId('publication'),
  'RedemptionService.listRedemptions': ofAccount,
  'TriggerService.listEventDefinitions': none,
  'TriggerService.emitTrigger': event,
  'TriggerService.emitTriggerAsync': event,
  'TriggerService.emitTriggerBatch': (of) => ({ triggers: [event(of).trigger] }),
  'TriggerService.backfillTriggers': (of) => ({
    triggers: [{ ...event(of).trigger, occurredAt: new Date(Date.now() - 172_800_000).toISOString() }],
  }),
  'TriggerService.reverseTriggerBatch': [
    (of) => ({ reversals: [{ programmaticCode: of.name, triggerOperationId: of.operation }] }),
    (of) => ({ reversals: [{ journalEntryId: of.journalEntry }] }),
  ],
  'TriggerService.reverseTrigger': [
    (of) => ({ reversal: { programmaticCode: of.name, triggerOperationId: of.operation } }),
    (of) => ({ reversal: { journalEntryId: of.journalEntry } }),
  ],
  'TriggerService.simulateTrigger': event,
  'WebhookService.getRewardsWebhook': none,
  'WebhookService.putRewardsWebhook': () => ({ settings: { endpoint: 'http://127.0.0.1:1/' } }),
  'WebhookService.testRewardsWebhook': none,
  'WebhookService.deleteRewardsWebhook': none,
  'WebhookService.getPublicationStatusWebhook': none,
  'WebhookService.putPublicationStatusWebhook': () => ({ settings: { endpoint: 'http://127.0.0.1:1/' } }),
  'WebhookService.testPublicationStatusWebhook': none,
  'WebhookService.deletePublicationStatusWebhook': none,
  'WebhookService.getMissionCompletedWebhook': none,
  'WebhookService.putMissionCompletedWebhook': () => ({ settings: { endpoint: 'http://127.0.0.1:1/' } }),
  'WebhookService.testMissionCompletedWebhook': none,
  'WebhookService.deleteMissionCompletedWebhook': none,
  'WebhookService.getStockLowWebhook': none,
  'WebhookService.putStockLowWebhook': () => ({ settings: { endpoint: 'http://127.0.0.1:1/' } }),
  'WebhookService.testStockLowWebhook': none,
  'WebhookService.deleteStockLowWebhook': none,
  'WebhookEndpointService.createWebhookEndpoint': (of) => ({ endpoint: webhookEndpoint(of) }),
  'WebhookEndpointService.listWebhookEndpoints': none,
  'WebhookEndpointService.getWebhookEndpoint': byId('webhookEndpoint'),
  'WebhookEndpointService.updateWebhookEndpoint': (of) => ({
    id: of.webhookEndpoint,
    version: 1,
    endpoint: webhookEndpoint(of),
    rotateSigningSecret: true,
  }),
  'WebhookEndpointService.deleteWebhookEndpoint': byId('webhookEndpoint'),
  'WebhookEndpointService.testWebhookEndpoint': byId('webhookEndpoint'),
  'AccountAdminService.grantReward': (of) => ({ ...ofAccount(of), rewardId: of.reward, reason: 'An apology.' }),
  'AccountAdminService.claimForAccount': (of) => ({ ...ofAccount(of), campaignId: of.campaign, reason: 'Asked.' }),
  'AccountAdminService.openChestForAccount': (of) => ({ ...ofAccount(of), chestId: of.chest, reason: 'Asked.' }),
  'AccountAdminService.releaseReservation': (of) => ({ id: of.reservation, reason: 'Asked.' }),
  'AccountAdminService.editAccount': (of) => ({ ...ofAccount(of), account: { name: 'New' }, reason: 'A typo.' }),
  'AccountAdminService.changeAccountAudiences': [
    (of) => ({ ...ofAccount(of), leaveAudienceIds: [of.audience], reason: 'Asked.' }),
    (of) => ({ ...ofAccount(of), joinAudienceIds: [of.audience], reason: 'Asked.' }),
  ],
  'AccountAdminService.correctStatistic': (of) => ({
    ...ofAccount(of),
    code: 'visits',
    value: 3,
    reason: 'A visit was lost.',
  }),
  'AccountAdminService.restoreStreak': (of) => ({
    ...ofAccount(of),
    missionId: of.streak,
    length: 5,
    reason: 'An outage.',
  }),
  'AccountAdminService.grantStreakFreezes': (of) => ({ ...ofAccount(of), reason: 'An apology.' }),
  'AccountAdminService.revokeTokensOfAccount': (of) => ({ ...ofAccount(of), reason: 'Lost phone' }),
  'AccountAdminService.suspendAccount': (of) => ({ ...ofAccount(of), reason: 'Fraud?' }),
  'AccountAdminService.resumeAccount': (of) => ({ ...ofAccount(of), events: 'APPLY', reason: 'Honest.' }),
  'AccountAdminService.reverseTriggersOfAccount': [
    (of) => ({ ...ofAccount(of), since: '2026-01-01T00:00:00Z', reason: 'Fraud.' }),
    (of) => ({ ...ofAccount(of), journalEntryIds: [of.journalEntry], reason: 'Fraud.' }),
  ],
  'AccountAdminService.removeAccount': (of) => ({ ...ofAccount(of), erase: true, reason: 'Asked.' }),
  'AgreementAdminService.createAgreement': changes,
  'AgreementAdminService.getAgreement': byId('agreement'),
  'AgreementAdminService.listAgreements': page,
  'AgreementAdminService.updateAgreement': (of) => ({ id: of.agreement, ...edit(of) }),
  'AgreementAdminService.listAgreementPublications': (of) => ({ agreementId: of.agreement, ...page() }),
  'AgreementAdminService.addAgreementStock': (of) => ({ id: of.agreement, quantity: 1 }),
  'AlertAdminService.getAlertSettings': none,
  'AlertAdminService.putAlertSettings': (of) => ({ version: 1, endpoint: `http://127.0.0.1:1/${of.name}` }),
  'AlertAdminService.testAlert': () => ({ channel: 'WEBHOOK' }),
  'AudienceAdminService.createAudience': (of) => ({ name: of.name, kind: 'MANUAL' }),
  'AudienceAdminService.getAudience': byId('audience'),
  'AudienceAdminService.listAudiences': page,
  'AudienceAdminService.updateAudience': (of) => ({ id: of.audience, ...edit(of) }),
  'AudienceAdminService.deleteAudience': byId('audience'),
  'AudienceAdminService.listAudienceMembers': (of) => ({ audienceId: of.audience, ...page() }),
  'AudienceAdminService.listAccountAudiences': ofAccount,
  'AuditAdminService.listAuditEntries': page,
  'CampaignAdminService.createCampaign': (of) => ({ campaign: campaign(of) }),
  'CampaignAdminService.getCampaign': byId('campaign'),
  'CampaignAdminService.updateCampaign': (of) => ({ id: of.campaign, version: 1, campaign: campaign(of, of.mission) }),
  'CampaignAdminService.deleteCampaign': byId('campaign'),
  'CampaignAdminService.duplicateCampaign': (of) => ({ id: of.campaign, name: of.name }),
  'CampaignAdminService.getActivationPreview': byId('campaign'),
  'CampaignAdminService.getReach': [
    (of) => ({ audienceIds: [of.audience] }),
    (of) => ({ rewards: [{ rewardId: of.reward, times: 1 }] }),
  ],
  'CampaignAdminService.getCampaignFunnel': byId('campaign'),
  'CampaignAdminService.getCampaignSeries': byId('campaign'),
  'CampaignAdminService.listCampaignAccounts': (of) => ({
    campaignId: of.campaign,
    missionId: of.mission,
    step: 'STARTED',
    ...page(),
  }),
  'CampaignAdminService.getCampaignEffect': (of) => ({ id: of.campaign, statisticCode: 'visits' }),
  'CampaignAdminService.listControlGroups': ofAccount,
  'CampaignAdminService.listCampaigns': page,
  'CampaignAdminService.activateCampaign': byId('campaign'),
  'CampaignAdminService.pauseCampaign': byId('campaign'),
  'CampaignAdminService.endCampaign': byId('campaign'),
  'ChestAdminService.createChestDefinition': (of) => ({
    name: of.name,
    entries: [{ rewardId: of.reward, weight: 1 }],
  }),
  'ChestAdminService.getChestDefinition': byId('chestDefinition'),
  'ChestAdminService.listChestDefinitions': page,
  'ChestAdminService.updateChestDefinition': (of) => ({
    id: of.chestDefinition,
    ...edit(of),
    entries: [{ rewardId: of.reward, weight: 1 }],
  }),
  'ChestAdminService.archiveChestDefinition': byId('chestDefinition'),
  'ClientAdminService.createClient': changes,
  'ClientAdminService.getClient': byId('client'),
  'ClientAdminService.listClients': page,
  'ClientAdminService.updateClient': (of) => ({ id: of.client, ...edit(of), timeZone: 'UTC' }),
  'ConsoleUserAdminService.createConsoleUser': () => ({ email: `${randomUUID()}@example.com` }),
  'ConsoleUserAdminService.getConsoleUser': byId('user'),
  'ConsoleUserAdminService.listConsoleUsers': page,
  'ConsoleUserAdminService.updateConsoleUser': (of) => ({ id: of.user, user: { name: of.name, version: 1 } }),
  'ConsoleUserAdminService.resetConsoleUserPassword': byId('user'),
  'ConsoleUserAdminService.resetConsoleUserSecondFactor': byId('user'),
  'ConsoleUserAdminService.listConsoleUserSessions': byId('user'),
  'ConsoleUserAdminService.endConsoleUserSessions': byId('user'),
  'CredentialAdminService.createCredential': (of) => ({ kind: 'API_KEY', name: of.name }),
  'CredentialAdminService.listCredentials': page,
  'CredentialAdminService.revokeCredential': byId('credential'),
  'TimelineAdminService.listAccountTimeline': (of) => ({ limit: 10, accountId: of.account }),
  'RefusedCallAdminService.listCallCounts': (of) => ({ credentialId: of.credential }),
  'RefusedCallAdminService.listRefusedCalls': [
    (of) => ({ limit: 10, accountId: of.account }),
    (of) => ({ credentialId: of.credential }),
  ],
  'JournalAdminService.listJournalEntries': (of) => ({ limit: 10, accountId: of.account }),
  'DeadTriggerAdminService.listDeadTriggers': page,
  'DeadTriggerAdminService.replayDeadTrigger': byId('deadTrigger'),
  'DeadTriggerAdminService.discardDeadTrigger': byId('deadTrigger'),
  'ExpressionAdminService.checkExpression': (of) => ({
    ...{ expression: 'now == now', scope: 'MISSION_CONDITION', programmaticCodes: [of.name] },
  }),
  'ExpressionAdminService.countExpressionMatches': (of) => ({
    ...{ expression: 'now == now', scope: 'MISSION_CONDITION', programmaticCodes: [of.name] },
  }),
  'AudienceAdminService.explainAudience': (of) => ({ audienceId: of.ruleAudience, accountId: of.account }),
  'AccountAttributeAdminService.getAccountAttributes': none,
  'AccountAttributeAdminService.updateAccountAttributes': () => ({
    version: 2,
    attributes: [{ name: 'tier', type: 'STRING' }],
  }),
  'BadgeService.listAccountBadges': ofAccount,
  'StatisticService.listAccountStatistics': ofAccount,
  'StatisticDefinitionAdminService.createStatisticDefinition': (of) => ({ statisticDefinition: statistic(of, 'more') }),
  'StatisticDefinitionAdminService.listStatisticDefinitions': page,
  'StatisticDefinitionAdminService.getStatisticDefinition': byId('statistic'),
  'StatisticDefinitionAdminService.updateStatisticDefinition': (of) => ({
    ...byId('statistic')(of),
    version: 1,
    statisticDefinition: { ...statistic(of), description: 'Each counts.' },
  }),
  'StatisticDefinitionAdminService.deleteStatisticDefinition': byId('statistic'),
  'LeaderboardService.getLeaderboard': byId('leaderboard'),
  'LeaderboardService.listLeaderboardEntries': (of) => ({ ...byId('leaderboard')(of), page: 1, limit: 10 }),
  'LeaderboardService.listLeaderboardRuns': byId('leaderboard'),
  'LeaderboardService.listLeaderboardRunEntries': (of) => ({ ...leaderboardRun(of), page: 1, limit: 10 }),
  'LeaderboardService.getLeaderboardRanks': (of) => ({ ...byId('leaderboard')(of), accountIds: [of.account] }),
  'LeaderboardService.listAccountLeaderboards': ofAccount,
  'LeaderboardService.getAccountLeaderboard': (of) => ({ ...ofAccount(of), ...byId('leaderboard')(of) }),
  'LeaderboardService.listAccountLeaderboardRuns': (of) => ({ ...ofAccount(of), ...byId('leaderboard')(of) }),
  'LeaderboardService.setAccountVisibility': (of) => ({ ...ofAccount(of), hidden: false }),
  'LevelService.listAccountLevels': ofAccount,
  'StreakFreezeService.listStreakFreezes': ofAccount,
  'StreakFreezeService.buyStreakFreezes': ofAccount,
  'VacationService.listVacations': ofAccount,
  'VacationService.announceVacations': (of) => ({ ...ofAccount(of), vacations: [daysAhead(10, 12)] }),
  'LeaderboardAdminService.createLeaderboard': (of) => ({ leaderboard: leaderboard(of) }),
  'LeaderboardAdminService.listLeaderboards': page,
  'LeaderboardAdminService.getLeaderboardDefinition': byId('leaderboard'),
  'LeaderboardAdminService.updateLeaderboard': (of) => ({
    ...byId('leaderboardDraft')(of),
    version: 1,
    leaderboard: { ...leaderboard(of), description: 'By visits.' },
  }),
  'LeaderboardAdminService.activateLeaderboard': byId('leaderboardToActivate'),
  'LeaderboardAdminService.endLeaderboard': byId('leaderboard'),
  'LeaderboardAdminService.deleteLeaderboard': byId('leaderboardDraft'),
  'LeaderboardAdminService.closeLeaderboardRun': leaderboardRun,
  'LeaderboardAdminService.getLeaderboardDistribution': leaderboardRun,
  'LeaderboardAdminService.cancelLeaderboardRun': (of) => ({
    ...{ id: of.leaderboardToCancel, runId: of.leaderboardRunToCancel },
    reason: 'It was a test.',
  }),
  'LevelTrackAdminService.createLevelTrack': (of) => ({ levelTrack: levelTrack(of, 'more') }),
  'LevelTrackAdminService.previewLevelTrack': (of) => ({ levelTrack: levelTrack(of) }),
  'LevelTrackAdminService.listLevelTracks': page,
  'LevelTrackAdminService.getLevelTrack': byId('levelTrack'),
  'LevelTrackAdminService.updateLevelTrack': (of) => ({
    ...byId('levelTrack')(of),
    version: 1,
    levelTrack: { ...levelTrack(of), description: 'By visits.' },
  }),
  'LevelTrackAdminService.deleteLevelTrack': byId('levelTrack'),
  'EventDefinitionAdminService.createEventDefinition': () => ({ programmaticCode: 'ANOTHER', type: 'SINGLE' }),
  'EventDefinitionAdminService.listEventDefinitions': page,
  'EventDefinitionAdminService.getEventDefinition': byId('eventDefinition'),
  'EventDefinitionAdminService.updateEventDefinition': (of) => ({ id: of.eventDefinition, ...edit(of) }),
  'EventDefinitionAdminService.deleteEventDefinition': byId('eventDefinition'),
  'MissionAdminService.createMission': (of) => ({ audienceId: of.audience, mission: mission(of) }),
  'MissionAdminService.getMission': byId('standaloneMission'),
  'MissionAdminService.listMissions': page,
  'MissionAdminService.updateMission': (of) => ({ id: of.standaloneMission, version: 1, mission: mission(of) }),
  'MissionAdminService.improveMission': (of) => ({
    id: of.standaloneMission,
    version: 1,
    target: 999,
    rewardIds: [of.reward],
  }),
  'MissionAdminService.getMissionFunnel': byId('standaloneMission'),
  'MissionAdminService.endMission': byId('standaloneMission'),
  'ImportAdminService.createImport': [
    (of) => ({ type: 'ACCOUNTS', fileName: of.name, audienceId: of.audience }),
    (of) => ({ type: 'PRODUCT_CODES', fileName: of.name, productId: of.product, itemId: of.item }),
    (of) => ({ type: 'EVENTS', fileName: of.name, rewards: 'POINTS', dryRun: true }),
    (of) => ({ type: 'STATISTICS', fileName: of.name }),
  ],
  'ImportAdminService.getImport': byId('import'),
  'ImportAdminService.listImports': page,
  'ImportAdminService.cancelImport': byId('import'),
  'ImportAdminService.reverseImport': byId('import'),
  'ImportAdminService.summarizeRefusals': byId('import'),
  'LoyaltyAdminService.adjustPoints': (of) => ({ accountId: of.account, amount: 1, reason: 'A gift.' }),
  'LoyaltyAdminService.cancelRedemption': (of) => ({ id: of.redemption, reason: 'A mistake.' }),
  'ProductAdminService.createProduct': (of) => ({ name: of.name, stockMode: 'UNLIMITED' }),
  'ProductAdminService.getProduct': byId('product'),
  'ProductAdminService.getProductOutlook': byId('product'),
  'ProductAdminService.listProducts': page,
  'ProductAdminService.updateProduct': (of) => ({ id: of.product, ...edit(of) }),
  'ProductAdminService.archiveProduct': byId('product'),
  'ProductAdminService.listProductCodes': (of) => ({ productId: of.product, ...page() }),
  'ProductAdminService.listProductRedemptions': (of) => ({ productId: of.product, ...page() }),
  'ProductAdminService.withdrawProductCodes': (of) => ({ id: of.product, codeIds: [of.code] }),
  'ProductAdminService.revealProductCode': byId('code'),
  'ProductAdminService.addProductCodes': (of) => ({ id: of.product, itemId: of.item, codes: ['MORE'] }),
  'ProductAdminService.addProductStock': (of) => ({ id: of.product, quantity: 1 }),
  'ProductAdminService.withdrawProductStock': (of) => ({ id: of.product, quantity: 1, reason: 'Broken.' }),
  'PublicationAdminService.createPublication': (of) => ({
    productId: of.product,
    agreementId: of.agreement,
    name: of.name,
  }),
  'PublicationAdminService.updatePublication': (of) => ({ id: of.publication, publication: changes(of) }),
  'PublicationAdminService.getPublication': byId('publication'),
  'PublicationAdminService.listPublications': page,
  'PublicationAdminService.deletePublication': byId('publication'),
  'PublicationAdminService.listAllReservations': page,
  'PublicationAdminService.listPurchases': page,
  'PublicationAdminService.addPublicationStock': (of) => ({ id: of.publication, quantity: 1 }),
  'PublicationAdminService.withdrawPublicationStock': (of) => ({ id: of.publication, quantity: 1 }),
  'RewardAdminService.createReward': [
    (of) => ({ name: of.name, type: 'PRODUCTS', amount: 1, productId: of.product }),
    (of) => ({ name: of.name, type: 'CHEST', amount: 1, chestId: of.chestDefinition }),
    (of) => ({ name: of.name, type: 'BADGE', amount: 1, description: of.name, secret: false }),
  ],
  'RewardAdminService.getReward': byId('reward'),
  'RewardAdminService.listRewards': page,
  'RewardAdminService.updateReward': (of) => ({ id: of.reward, ...edit(of) }),
  'RewardAdminService.archiveReward': byId('reward'),
  'RewardAdminService.listRewardEarnedRewards': (of) => ({ rewardId: of.reward, ...page() }),
  'RewardAdminService.listPendingRewards': (of) => ({ productId: of.product, ...page() }),
  'RewardAdminService.deliverPendingReward': (of) => ({ id: of.pendingReward, reason: 'Promised by phone.' }),
  'RewardAdminService.cancelPendingReward': (of) => ({ id: of.pendingReward, reason: 'Not made any more.' }),
  // Sessions belong to people, whom test/operations/clients has; a credential is refused here, because it has no password.
  'SessionService.signIn': (of) => ({ email: `${randomUUID()}@example.com`, password: 'wrong', clientId: of.client }),
  'SessionService.refreshSession': none,
  'SessionService.signOut': none,
  'SessionService.getSession': none,
  'SessionService.listSessions': none,
  'SessionService.endSession': () => ({ id: NOBODYS_ID }),
  'SessionService.changePassword': () => ({ currentPassword: 'wrong', newPassword: 'a longer password' }),
  'SessionService.beginSecondFactor': () => ({ currentPassword: 'wrong' }),
  'SessionService.confirmSecondFactor': () => ({ code: '000000' }),
  'SessionService.disableSecondFactor': () => ({ currentPassword: 'wrong', code: '000000' }),
  'SessionService.listSignInMethods': none,
  'StatisticsAdminService.getAttention': none,
  'StatisticsAdminService.getOverview': none,
  'WebhookAdminService.listWebhookDeliveries': page,
  'WebhookAdminService.getWebhookDelivery': byId('delivery'),
  'WebhookAdminService.redeliverWebhook': byId('delivery'),
  'WebhookAdminService.resendWebhookDeliveries': [
    () => ({ type: 'REWARDS', ...resend }),
    (of) => ({ endpointId: of.webhookEndpoint, ...resend }),
  ],
  'WebhookAdminService.listWaitingWebhooks': page,
  'WebhookAdminService.listWebhookRetries': none,
  'WebhookAdminService.stopWebhookRetries': [() => ({ type: 'REWARDS' }), (of) => ({ endpointId: of.webhookEndpoint })],
};

/** The key of an operation in the samples. */
export function nameOf({ rpc }: Route): string {
  return `${rpc.parent.name}.${rpc.localName}`;
}

/** Whether an operation has a sample; a missing sample fails a separate test. */
export function hasSample(route: Route): boolean {
  return nameOf(route) in samples;
}

/** Requests to an operation that together use all its fields. */
export function samplesOf(route: Route): readonly Sample[] {
  const own = samples[nameOf(route)];
  if (!own) throw new Error(`There is no sample of ${nameOf(route)}: add one, with an id of everything that it takes.`);
  return typeof own === 'function' ? [own] : own;
}

/** The kinds of ids that a sample uses. */
export function kindsOf(sample: Sample): Kind[] {
  const kinds = new Set<Kind>();
  const recorder = new Proxy({} as World, {
    get(_target, kind: Kind | 'name' | 'externalId') {
      if (kind !== 'name' && kind !== 'externalId') kinds.add(kind);
      return kind;
    },
  });
  sample(recorder);
  return [...kinds];
}

/** A request over REST, according to the route: the query has the fields that are not in the path or the body. */
export function restRequest(route: Route, fields: Fields): { method: string; path: string; body: unknown } {
  const rest = new Map(Object.entries(fields));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, variable: string) => {
    const name = variable.replaceAll(/_([a-z])/g, (_part, letter: string) => letter.toUpperCase());
    const value = rest.get(name);
    rest.delete(name);
    return encodeURIComponent(String(value));
  });
  if (route.body === '*') return { method: route.httpMethod, path, body: Object.fromEntries(rest) };
  const body = route.body === '' ? undefined : rest.get(route.body);
  rest.delete(route.body);
  const query = [...rest].map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return { method: route.httpMethod, path: query === '' ? path : `${path}?${query}`, body };
}
