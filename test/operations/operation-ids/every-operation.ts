import { createHash, randomUUID } from 'node:crypto';
import type { DescMessage } from '@bufbuild/protobuf';
import {
  AdjustPointsResponseSchema,
  CancelRedemptionResponseSchema,
} from '../../../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import { ClaimCampaignResponseSchema } from '../../../gen/laurel/v1/campaign_service_pb.ts';
import { OpenChestResponseSchema } from '../../../gen/laurel/v1/chest_service_pb.ts';
import { RedeemProductResponseSchema } from '../../../gen/laurel/v1/loyalty_service_pb.ts';
import {
  FreezePublicationResponseSchema,
  RedeemPublicationResponseSchema,
} from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { EmitTriggerResponseSchema } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { newGame } from '../../support/game.ts';
import type { RestAnswer, TestService } from '../../support/service.ts';

/** The account of a request; `idType` is left out if it is undefined. */
export type Named = { readonly accountId: string; readonly idType?: 'EXTERNAL' | 'INTERNAL' | undefined };

/** A request that would take effect, and its fingerprint in v0.1.0. */
export type Prepared = {
  /** The internal id of its account. */
  readonly accountId: string;
  /** The path; `spell` gives the form of its ids. */
  path(spell: Spell, account: Named): string;
  /** The body without an operation id. */
  body(spell: Spell, account: Named): Record<string, unknown>;
  /** The body with other content. */
  other(spell: Spell, account: Named): Record<string, unknown>;
  /** The parts of the request that v0.1.0 hashed, in its order. */
  v010(spell: Spell, account: Named): string[];
};

/** The form of an id: unchanged, or in upper case. */
export type Spell = (id: string) => string;
export const asIs: Spell = (id) => id;
export const upper: Spell = (id) => id.toUpperCase();

/** An operation that takes an operation id. */
export type Operation = {
  readonly name: string;
  /** The stored answer, with a part that identifies it in the REST answer. */
  readonly stored: { readonly schema: DescMessage; readonly answer: Record<string, unknown>; readonly shown: object };
  /** Creates a new account for which the request would take effect. */
  prepare(): Promise<Prepared>;
};

/** v0.1.0's fingerprint: SHA-256 over the parts, each preceded by its length. */
export function v010Fingerprint(content: readonly string[]): Buffer {
  return createHash('sha256')
    .update(content.map((part) => `${part.length}:${part}`).join(''))
    .digest();
}

/** The number that v0.1.0 wrote for an id type. */
export const numberOf = ({ idType }: Named) => (idType === undefined ? '0' : idType === 'EXTERNAL' ? '1' : '2');

/** A POST with the given headers; below `/admin` as the administrator. */
export async function post(
  service: TestService,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<RestAnswer> {
  const token = path.startsWith('/admin') ? service.adminToken : service.apiKey;
  const response = await fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** All operations that take an operation id, in one tenant, and a world in which each can succeed. */
export async function everyOperation(service: TestService): Promise<readonly Operation[]> {
  const admin = async (path: string, body: object) => (await post(service, path, body)).body;
  const points = await admin('/admin/rewards', { name: 'A point', type: 'POINTS', amount: 1 });
  const chest = await admin('/admin/chests', { name: 'Box', entries: [{ rewardId: points.id, weight: 1 }] });
  await newGame(service, {
    codes: { LOGIN: 'SINGLE', PURCHASE: 'AMOUNT', REFERRAL: 'SINGLE', QUEST: 'SINGLE', BOX: 'SINGLE' },
    missions: [{ programmaticCode: 'PURCHASE', target: 1_000_000 }],
  });
  await newGame(service, { missions: [{ programmaticCode: 'REFERRAL', target: 1_000_000 }] });
  await newGame(service, {
    missions: [{ programmaticCode: 'BOX' }],
    rewards: [{ name: 'A box', type: 'CHEST', amount: 1, chestId: chest.id }],
  });
  const { campaignId } = await newGame(service, {
    missions: [{ programmaticCode: 'QUEST' }],
    campaign: { claimPolicy: 'EXPLICIT' },
  });
  const mug = await admin('/admin/products', { name: 'Mug', stockMode: 'UNLIMITED', pointsCost: 2 });
  const offer = await admin('/admin/publications', { name: 'Mug', stock: 1_000, productId: mug.id });
  await admin(`/marketplace/publications/${offer.id}/publish`, {});

  async function player(): Promise<string> {
    const { body } = await post(service, '/accounts/resolve', { externalId: `player ${randomUUID()}` });
    await admin(`/admin/accounts/${body.id}/points/adjust`, { amount: 100, reason: 'to spend' });
    return body.id;
  }
  const emit = (accountId: string, programmaticCode: string) =>
    post(service, '/gamification/triggers', { programmaticCode, accountId });

  return [
    {
      name: 'EmitTrigger',
      stored: {
        schema: EmitTriggerResponseSchema,
        answer: { progressedMissions: [{ name: 'as stored' }] },
        shown: { progressedMissions: [{ name: 'as stored' }] },
      },
      async prepare() {
        const own = (account: Named) => ({ ...account, programmaticCode: 'PURCHASE' });
        return {
          accountId: await player(),
          path: () => '/gamification/triggers',
          body: (_, account) => ({ ...own(account), metadata: { amount: 3.3 } }),
          other: (_, account) => ({ ...own(account), metadata: { amount: 4 } }),
          v010: (_, account) => [
            'trigger',
            'PURCHASE',
            account.idType ?? 'INTERNAL',
            account.accountId,
            '{"amount":3.3}',
          ],
        };
      },
    },
    {
      name: 'ClaimCampaign',
      stored: {
        schema: ClaimCampaignResponseSchema,
        answer: { rewards: [{ rewardId: 'as stored' }] },
        shown: { rewards: [{ rewardId: 'as stored' }] },
      },
      async prepare() {
        const accountId = await player();
        await emit(accountId, 'QUEST');
        const somebodyElse = await player();
        return {
          accountId,
          path: (spell) => `/gamification/campaigns/${spell(campaignId)}/claim`,
          body: (_, account) => ({ ...account }),
          other: () => ({ accountId: somebodyElse }),
          v010: (_, account) => ['claim', campaignId, numberOf(account), account.accountId],
        };
      },
    },
    {
      name: 'RedeemProduct',
      stored: {
        schema: RedeemProductResponseSchema,
        answer: { redemption: { quantity: 77 } },
        shown: { quantity: 77 },
      },
      async prepare() {
        return {
          accountId: await player(),
          path: (spell) => `/loyalty/products/${spell(mug.id)}/redeem`,
          body: (_, account) => ({ ...account }),
          other: (_, account) => ({ ...account, quantity: 2 }),
          v010: (spell, account) => ['RedeemProduct', spell(mug.id), numberOf(account), account.accountId, '1'],
        };
      },
    },
    {
      name: 'FreezePublication',
      stored: {
        schema: FreezePublicationResponseSchema,
        answer: { reservation: { quantity: 78 } },
        shown: { quantity: 78 },
      },
      async prepare() {
        return {
          accountId: await player(),
          path: () => '/marketplace/publications/freeze',
          body: (spell, account) => ({ ...account, publicationId: spell(offer.id) }),
          other: (spell, account) => ({ ...account, publicationId: spell(offer.id), quantity: 2 }),
          v010: (spell, account) => [
            'FreezePublication',
            spell(offer.id),
            numberOf(account),
            account.accountId,
            '1',
            '900',
          ],
        };
      },
    },
    {
      name: 'RedeemPublication',
      stored: {
        schema: RedeemPublicationResponseSchema,
        answer: { redemption: { quantity: 79 } },
        shown: { quantity: 79 },
      },
      async prepare() {
        return {
          accountId: await player(),
          path: (spell) => `/marketplace/publications/redeem/${spell(offer.id)}`,
          body: (_, account) => ({ ...account }),
          other: (_, account) => ({ ...account, quantity: 2 }),
          v010: (spell, account) => ['RedeemPublication', spell(offer.id), numberOf(account), account.accountId, ''],
        };
      },
    },
    {
      name: 'OpenChest',
      stored: {
        schema: OpenChestResponseSchema,
        answer: { opened: { rewards: [{ rewardId: 'as stored' }] } },
        shown: { rewards: [{ rewardId: 'as stored' }] },
      },
      async prepare() {
        const [accountId, somebodyElse] = [await player(), await player()];
        await emit(accountId, 'BOX');
        const chests = await service.rest('GET', `/gamification/chests/account/${accountId}`);
        const { id } = chests.body[0];
        return {
          accountId,
          path: (spell) => `/gamification/chests/${spell(id)}/open`,
          body: (_, account) => ({ ...account }),
          other: () => ({ accountId: somebodyElse }),
          v010: (spell, account) => ['OpenChest', spell(id), numberOf(account), account.accountId],
        };
      },
    },
    {
      name: 'AdjustPoints',
      stored: { schema: AdjustPointsResponseSchema, answer: { entry: { amount: 80 } }, shown: { amount: 80 } },
      async prepare() {
        const rest = { amount: 3.3, reason: 'a gift' };
        const idTypeOf = ({ idType }: Named) => (idType === undefined ? {} : { idType });
        return {
          accountId: await player(),
          path: (_, account) => `/admin/accounts/${account.accountId}/points/adjust`,
          body: (_, account) => ({ ...idTypeOf(account), ...rest }),
          other: (_, account) => ({ ...idTypeOf(account), ...rest, amount: 4 }),
          v010: (_, account) => ['AdjustPoints', numberOf(account), account.accountId, '33000', 'a gift', 'undefined'],
        };
      },
    },
    {
      name: 'CancelRedemption',
      stored: {
        schema: CancelRedemptionResponseSchema,
        answer: { redemption: { quantity: 81 } },
        shown: { quantity: 81 },
      },
      async prepare() {
        const accountId = await player();
        const { body } = await post(service, `/loyalty/products/${mug.id}/redeem`, { accountId });
        return {
          accountId,
          path: (spell) => `/admin/redemptions/${spell(body.id)}/cancel`,
          body: () => ({ reason: 'a mistake' }),
          other: () => ({ reason: 'another mistake' }),
          v010: () => ['CancelRedemption', body.id, 'a mistake', 'undefined'],
        };
      },
    },
  ];
}
