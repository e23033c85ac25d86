import type { Order } from './order.ts';

/** The sortable fields of each list, by the list's method. A test compares them with the service. */
export const listOrders: Readonly<Record<string, readonly string[]>> = {
  listAccounts: ['createdAt', 'externalId', 'email', 'name'],
  listAgreements: ['name', 'stock', 'createdAt', 'updatedAt'],
  listAgreementPublications: ['name', 'pointsCost', 'createdAt'],
  listAllReservations: ['createdAt'],
  listAudienceMembers: ['createdAt'],
  listAudiences: ['name', 'kind', 'createdAt', 'updatedAt'],
  listAuditEntries: ['createdAt'],
  listCampaignAccounts: ['createdAt'],
  listCampaigns: ['createdAt', 'name', 'updatedAt', 'startsAt', 'endsAt'],
  listChestDefinitions: ['name', 'createdAt', 'updatedAt'],
  listClients: ['name', 'createdAt'],
  listConsoleUsers: ['email', 'name', 'role', 'createdAt', 'lastSignedInAt'],
  listCredentials: ['createdAt', 'name', 'kind', 'expiresAt', 'lastUsedAt'],
  listDeadTriggers: ['deadAt'],
  listEventDefinitions: ['programmaticCode', 'name', 'type', 'createdAt', 'updatedAt'],
  listLeaderboards: ['name', 'status', 'statisticCode', 'createdAt', 'updatedAt'],
  listLevelTracks: ['code', 'name', 'statisticCode', 'createdAt', 'updatedAt'],
  listStatisticDefinitions: ['code', 'name', 'programmaticCode', 'createdAt', 'updatedAt'],
  listRewardEarnedRewards: ['createdAt'],
  listImports: ['createdAt', 'fileName'],
  listMissions: ['createdAt', 'name', 'type', 'programmaticCode', 'updatedAt'],
  listPendingRewards: ['createdAt'],
  listProductCodes: ['createdAt'],
  listProductRedemptions: ['createdAt'],
  listProducts: ['name', 'createdAt', 'stockMode', 'pointsCost'],
  listPublications: ['name', 'pointsCost', 'createdAt'],
  listPurchases: ['createdAt'],
  listRewards: ['name', 'type', 'amount'],
  listWaitingWebhooks: ['createdAt'],
  listWebhookDeliveries: ['attemptedAt'],
};

/** Lists whose search finds only complete ids. */
export const searchedById: ReadonlySet<string> = new Set([
  'listAllReservations',
  'listAuditEntries',
  'listDeadTriggers',
  'listPendingRewards',
  'listProductCodes',
  'listCampaignAccounts',
  'listRewardEarnedRewards',
  'listProductRedemptions',
  'listPurchases',
  'listWaitingWebhooks',
  'listWebhookDeliveries',
]);

/** The order to request; undefined for the default order, or if only this page can be sorted. */
export function orderByOf(order: Order, orders: readonly string[]): string | undefined {
  const falling = order.startsWith('-');
  const field = falling ? order.slice(1) : order;
  if (!orders.includes(field)) return undefined;
  return falling ? `${field} desc` : field;
}
