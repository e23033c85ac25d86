import { randomUUID } from 'node:crypto';
import type { RestAnswer } from '../support/service.ts';
import type { Call } from './calls.ts';
import type { Ids } from './world-resources.ts';
import { nameOf, type Prize } from './prizes.ts';

/** A request, POST by default. Paths below `/admin` are sent as the administrator. */
export type Request = { readonly method?: 'PATCH'; readonly path: string; readonly body: object };

/** The REST request of a call. Codes are new each time, so a repeated restock is a different request. */
export function requestOf(ids: Ids, call: Call): Request {
  const own = { accountId: 'who' in call ? call.who : undefined, idType: 'EXTERNAL', operationId: call.operationId };
  const offer = 'offer' in call ? ids.offers[call.offer] : undefined;
  switch (call.do) {
    case 'emit':
      return { path: '/gamification/triggers', body: { ...own, programmaticCode: 'STEP' } };
    case 'emitLater':
      return { path: '/gamification/triggers/async', body: { ...own, programmaticCode: 'STEP' } };
    case 'claim':
      return { path: `/gamification/campaigns/${ids.explicit}/claim`, body: own };
    case 'openChest':
      return { path: `/gamification/chests/${call.chestId ?? randomUUID()}/open`, body: own };
    case 'claimFor':
      return supportFor(call, `campaigns/${ids.explicit}/claim`);
    case 'openChestFor':
      return supportFor(call, `chests/${call.chestId ?? randomUUID()}/open`);
    case 'grant':
      return supportFor(call, 'rewards/grant', { rewardId: ids.gifts[call.gift]! });
    case 'cancelWaiting':
    case 'deliverWaiting': {
      const end = call.do === 'cancelWaiting' ? 'cancel' : 'deliver';
      return {
        path: `/admin/earned-rewards/${call.waiting?.earnedId ?? randomUUID()}/${end}`,
        body: { reason: 'late' },
      };
    }
    case 'buy':
      return { path: `/loyalty/products/${ids[call.what]}/redeem`, body: { ...own, quantity: call.units } };
    case 'freeze': {
      const what = { publicationId: offer, quantity: call.units, ttlSeconds: call.hours * 3600 };
      return { path: '/marketplace/publications/freeze', body: { ...own, ...what } };
    }
    case 'unfreeze':
      return { path: '/marketplace/publications/unfreeze', body: { ...own, publicationId: offer } };
    case 'redeem':
      return { path: `/marketplace/publications/redeem/${offer}`, body: { ...own, quantity: call.units } };
    case 'publish':
    case 'unpublish':
      return { path: `/marketplace/publications/${offer}/${call.do}`, body: {} };
    case 'reprice':
      return { method: 'PATCH', path: `/admin/publications/${offer}`, body: { pointsCost: call.price ?? null } };
    case 'cancel': {
      const why = { reason: 'wrong size', expiresInDays: call.days, operationId: call.operationId };
      return { path: `/admin/redemptions/${call.redemptionId ?? randomUUID()}/cancel`, body: why };
    }
    case 'adjust': {
      const { accountId, ...rest } = own;
      const what = { amount: call.amount, earned: call.earned, expiresInDays: call.days, reason: 'a gift' };
      return { path: `/admin/accounts/${accountId}/points/adjust`, body: { ...rest, ...what } };
    }
    case 'withdraw':
      return { path: `/admin/publications/${offer}/stock/withdraw`, body: { quantity: call.units } };
    case 'restock':
      return restockOf(ids, call);
  }
}

/** The request of an action of the support team for a player. */
function supportFor({ who, operationId }: Extract<Call, { who: string }>, action: string, what: object = {}): Request {
  const path = `/admin/accounts/${who}/${action}`;
  return { path, body: { ...what, idType: 'EXTERNAL', operationId, reason: 'asked by phone' } };
}

function restockOf(ids: Ids, { what, offer, units }: Extract<Call, { do: 'restock' }>): Request {
  if (what === 'coupon') {
    return { path: `/admin/products/${ids.coupon}/codes`, body: { codes: Array.from({ length: units }, randomUUID) } };
  }
  const paths = {
    mug: `/admin/products/${ids.mug}/stock`,
    agreement: `/admin/agreements/${ids.agreement}/stock`,
    offer: `/admin/publications/${ids.offers[offer]}/stock`,
  };
  return { path: paths[what], body: { quantity: units } };
}

type Earned = { rewardType: Prize['type']; amount: number; amountUnpaid?: number; status: string; codes: unknown[] };
type Moved = { progress: number; target: number };

/** The digest of an answer, in the words of the model. */
export function digestOf(call: Call, { status, body }: RestAnswer): string {
  if (status >= 300) return `${status} ${body.code}`;
  switch (call.do) {
    case 'emit':
    case 'claim':
    case 'claimFor':
    case 'openChest':
    case 'openChestFor': {
      const moved = (body.progressedMissions ?? []).map(({ progress, target }: Moved) => `${progress}/${target}`);
      const earned = [...body.rewards, ...(body.pendingRewards ?? [])];
      return ['200', ...moved, ...earned.map(earnedDigest)].join(' ');
    }
    case 'grant':
      return `200 ${earnedDigest(body)}`;
    case 'cancelWaiting':
    case 'deliverWaiting':
      return `200 ${nameOf({ type: body.rewardType, amount: body.amount })}`;
    case 'buy':
    case 'redeem':
      return `200 ${body.quantity} for ${body.pointsSpent} codes ${body.redeemables.length}`;
    case 'freeze':
      return `200 ${body.quantity}`;
    case 'unfreeze':
      return `200 released ${body.releasedQuantity}`;
    case 'publish':
    case 'unpublish':
      return `200 ${body.status}`;
    case 'reprice':
      return `200 ${body.pointsCost}`;
    case 'cancel':
      return `200 ${body.status} for ${body.pointsSpent}`;
    case 'adjust':
      return `200 ${body.amount}`;
    case 'restock':
      return 'delivered' in body ? `200 delivered ${body.delivered}` : '200';
    case 'emitLater':
    case 'withdraw':
      return '200';
  }
}

function earnedDigest({ rewardType: type, amount, amountUnpaid, status, codes }: Earned): string {
  const name = `${nameOf({ type, amount, ...(amountUnpaid !== undefined && { amountUnpaid }) })} ${status}`;
  return status === 'DELIVERED' ? `${name} codes ${codes.length}` : name;
}
