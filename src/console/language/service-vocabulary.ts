import type { Change_Kind } from '../../../gen/laurel/v1/change_pb.ts';
import { Mission_Type, type MissionConditions, MissionConditionsSchema } from '../../../gen/laurel/v1/mission_pb.ts';
import { Reward_Type } from '../../../gen/laurel/v1/reward_pb.ts';
import type { EnumName } from '../api/enum-name.ts';

/** The label that a form has beside each field of the API, as the key of its text. */
export const fieldLabels = {
  ...conditionLabels(),
  amount: 'fields.amount',
  atRiskDays: 'levels.atRiskDays',
  audienceIds: 'campaigns.audiences',
  authenticationMethodKey: 'webhooks.headerName',
  authenticationMethodType: 'webhooks.authentication',
  authenticationValue: 'webhooks.secret',
  campaignIds: 'endpoints.campaigns',
  causes: 'alerts.causes',
  chestId: 'rewards.chest',
  claimPolicy: 'campaigns.claimPolicy',
  code: 'signIn.code',
  counts: 'campaigns.counts',
  currentPassword: 'signIn.current',
  description: 'fields.description',
  displayNameAttribute: 'leaderboards.displayName',
  downgrade: 'levels.downgrade',
  durationDays: 'campaigns.durationDays',
  email: 'fields.email',
  endpoint: 'webhooks.endpoint',
  endless: 'campaigns.endless',
  endsAt: 'campaigns.endsAt',
  amountExpression: 'rewards.amountExpression',
  amountMax: 'rewards.amountMax',
  entriesShown: 'leaderboards.entriesShown',
  firstRank: 'leaderboards.firstRank',
  lastRank: 'leaderboards.lastRank',
  lateHours: 'leaderboards.lateHours',
  onReversal: 'rewards.onReversal',
  expiresInDays: 'rewards.expiresInDays',
  externalId: 'fields.externalId',
  form: 'endpoints.form',
  fragmentsRequired: 'products.fragmentsRequired',
  gracePeriods: 'campaigns.gracePeriods',
  guaranteed: 'rewards.guaranteed',
  holdDays: 'levels.holdDays',
  imageUrl: 'campaigns.image',
  itemNames: 'products.itemNames',
  language: 'alerts.language',
  levels: 'levels.levels',
  lowStockThreshold: 'products.lowStockThreshold',
  method: 'webhooks.method',
  milestones: 'campaigns.milestones',
  missions: 'campaigns.missions',
  name: 'fields.name',
  newPassword: 'signIn.new',
  occurredAt: 'simulator.occurredAt',
  occurrences: 'campaigns.occurrences',
  order: 'leaderboards.order',
  period: 'campaigns.period',
  perPeriodTarget: 'campaigns.perPeriodTarget',
  pointsCost: 'fields.pointsCost',
  prizes: 'leaderboards.prizes',
  productId: 'fields.product',
  programmaticCode: 'campaigns.event',
  quantity: 'form.units',
  quietHours: 'alerts.quiet',
  reason: 'form.reason',
  recipients: 'alerts.recipients',
  reminderHours: 'alerts.reminder',
  repeat: 'campaigns.repeat',
  rewardIds: 'campaigns.completionRewards',
  role: 'users.role',
  secondFactor: 'signIn.code',
  secret: 'rewards.secret',
  sendWhen: 'webhooks.sendWhen',
  statisticCode: 'levels.statistic',
  threshold: 'levels.threshold',
  startsAt: 'campaigns.startsAt',
  status: 'fields.status',
  stock: 'products.firstStock',
  stockMode: 'products.stockMode',
  target: 'campaigns.target',
  ties: 'leaderboards.ties',
  timeZone: 'fields.timeZone',
  to: 'alerts.to',
  topShare: 'leaderboards.topShare',
  type: 'fields.type',
  types: 'endpoints.types',
  url: 'webhooks.endpoint',
  weight: 'rewards.weight',
} as const;

/** Kinds of changes by name: their file would bring all bodies of webhooks into the first load, 3 KB. */
const kindWords = {
  MISSION_COMPLETED: 'endpoints.kinds.MISSION_COMPLETED',
  PUBLICATION_STATUS_CHANGED: 'endpoints.kinds.PUBLICATION_STATUS_CHANGED',
  REWARDS_DELIVERED: 'endpoints.kinds.REWARDS_DELIVERED',
  REWARDS_REVERSED: 'endpoints.kinds.REWARDS_REVERSED',
  ACCOUNTS_MERGED: 'endpoints.kinds.ACCOUNTS_MERGED',
  LEVEL_CHANGED: 'endpoints.kinds.LEVEL_CHANGED',
  LEVEL_AT_RISK: 'endpoints.kinds.LEVEL_AT_RISK',
  STREAK_AT_RISK: 'endpoints.kinds.STREAK_AT_RISK',
  LEADERBOARD_CLOSED: 'endpoints.kinds.LEADERBOARD_CLOSED',
  POINTS_CHANGED: 'endpoints.kinds.POINTS_CHANGED',
  REWARD_EARNED: 'endpoints.kinds.REWARD_EARNED',
  PENDING_REWARD_SETTLED: 'endpoints.kinds.PENDING_REWARD_SETTLED',
  REDEMPTION_CHANGED: 'endpoints.kinds.REDEMPTION_CHANGED',
  RESERVATION_CHANGED: 'endpoints.kinds.RESERVATION_CHANGED',
  STOCK_CHANGED: 'endpoints.kinds.STOCK_CHANGED',
  STOCK_LOW: 'endpoints.kinds.STOCK_LOW',
} as const satisfies Record<EnumName<typeof Change_Kind>, string>;

/** The labels of values of the API, as the keys of their texts. */
export const valueWords = {
  ...wordsOf(Reward_Type, 'rewards.types'),
  ...wordsOf(Mission_Type, 'campaigns.types'),
  ...kindWords,
  ACCESS_TOKEN: 'keys.kinds.ACCESS_TOKEN',
  ACCOUNTS: 'imports.types.ACCOUNTS',
  ACTIVE: 'campaigns.phases.ACTIVE',
  AMOUNT: 'events.types.AMOUNT',
  API_KEY: 'keys.kinds.API_KEY',
  CANCELLED: 'imports.statuses.CANCELLED',
  CLIENT_ADMIN: 'users.roles.CLIENT_ADMIN',
  CLOSED: 'leaderboards.runStatuses.CLOSED',
  CLOSING: 'leaderboards.runStatuses.CLOSING',
  CODES: 'products.stockModes.CODES',
  CLOUD_EVENTS: 'endpoints.forms.CLOUD_EVENTS',
  COUNTED: 'products.stockModes.COUNTED',
  DONE: 'imports.statuses.DONE',
  DRAFT: 'campaigns.phases.DRAFT',
  ENDED: 'campaigns.phases.FINISHED',
  EVERYONE: 'audiences.kinds.EVERYONE',
  HIGHEST_FIRST: 'leaderboards.orders.HIGHEST_FIRST',
  LOWEST_FIRST: 'leaderboards.orders.LOWEST_FIRST',
  OPEN: 'leaderboards.runStatuses.OPEN',
  RULE: 'audiences.kinds.RULE',
  FAILED: 'imports.statuses.FAILED',
  HEADER: 'webhooks.authentications.HEADER',
  LOYALTY: 'accounts.sources.LOYALTY',
  MANUAL: 'audiences.kinds.MANUAL',
  MARKETPLACE: 'accounts.sources.MARKETPLACE',
  MARKETER: 'users.roles.MARKETER',
  PAUSED: 'campaigns.phases.PAUSED',
  PLAIN: 'endpoints.forms.PLAIN',
  PRODUCT_CODES: 'imports.types.PRODUCT_CODES',
  PUBLICATION_STATUS: 'webhooks.types.PUBLICATION_STATUS',
  QUERY_PARAM: 'webhooks.authentications.QUERY_PARAM',
  QUEUED: 'imports.statuses.QUEUED',
  REWARD: 'accounts.sources.REWARD',
  REWARDS: 'webhooks.types.REWARDS',
  RUNNING: 'imports.statuses.RUNNING',
  STATISTICS: 'imports.types.STATISTICS',
  SERVICE_ADMIN: 'users.roles.SERVICE_ADMIN',
  SINGLE: 'events.types.SINGLE',
  SUPPORT: 'users.roles.SUPPORT',
  UNLIMITED: 'products.stockModes.UNLIMITED',
  VIEWER: 'users.roles.VIEWER',
  UPLOADING: 'imports.statuses.UPLOADING',
} as const;

/** The labels of the conditions of missions, each a text under the name of the condition. */
function conditionLabels(): {
  readonly [Name in Exclude<keyof MissionConditions, `$${string}`>]: `conditions.labels.${Name}`;
} {
  const names = MissionConditionsSchema.fields.map(({ localName }) => localName);
  return Object.fromEntries(names.map((name) => [name, `conditions.labels.${name}`])) as ReturnType<
    typeof conditionLabels
  >;
}

/** The words of an enum, from texts in one object, by name. */
function wordsOf<const Values extends Readonly<Record<string, number>>, const Texts extends string>(
  values: Values,
  texts: Texts,
): { readonly [Name in EnumName<Values>]: `${Texts}.${Name}` } {
  const names = Object.keys(values).filter((name) => values[name] !== 0);
  return Object.fromEntries(names.map((name) => [name, `${texts}.${name}`])) as ReturnType<
    typeof wordsOf<Values, Texts>
  >;
}
