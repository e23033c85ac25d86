import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { createContextValues } from '@connectrpc/connect';
import { AudienceAdminService } from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { CampaignAdminService } from '../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { ClientAdminService } from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { CredentialAdminService } from '../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { Credential_Kind } from '../../gen/laurel/admin/v1/credential_pb.ts';
import { EventDefinitionAdminService } from '../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { Product_StockMode } from '../../gen/laurel/admin/v1/product_pb.ts';
import { ProductAdminService } from '../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { PublicationAdminService } from '../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { CreateRewardRequestSchema, RewardAdminService } from '../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { Role } from '../../gen/laurel/auth/v1/options_pb.ts';
import { Campaign_Status } from '../../gen/laurel/v1/campaign_pb.ts';
import { Publication_Status } from '../../gen/laurel/v1/marketplace_pb.ts';
import { TriggerService } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { Audience_Kind } from '../../gen/laurel/v1/audience_pb.ts';
import { EventDefinition_Type } from '../../gen/laurel/v1/event_definition_pb.ts';
import { MarketplaceService } from '../../gen/laurel/v1/marketplace_service_pb.ts';
import { Mission_Type } from '../../gen/laurel/v1/mission_pb.ts';
import { Reward_Type } from '../../gen/laurel/v1/reward_pb.ts';
import { principalKey } from '../clients/principal.ts';
import { NIL_UUID } from '../kernel/ids.ts';
import type { Operations } from '../server/rpc/operations.ts';

/** The ids of the demo client's resources. */
export type DemoShop = {
  readonly clientId: string;
  /** For the integrator's calls. */
  readonly apiKey: string;
  /** For webhooks and `/admin`, for all clients. */
  readonly accessToken: string;
};

/** Creates a complete demo, on a database without one. */
export async function createDemoShop(operations: Operations): Promise<DemoShop> {
  const clientId = await createDemoClient(operations);
  await completeDemoShop(operations, clientId);
  const apiKey = await replaceDemoCredential(operations, clientId, Credential_Kind.API_KEY);
  const accessToken = await replaceDemoCredential(operations, clientId, Credential_Kind.ACCESS_TOKEN);
  return { clientId, apiKey, accessToken };
}

/** The name of the demo client, by which a partly created demo is found. */
export const DEMO_NAME = 'Demo shop';

/** Creates an empty demo client; returns its id. */
export async function createDemoClient(operations: Operations): Promise<string> {
  const { client } = await callAs(operations, NIL_UUID)(ClientAdminService.method.createClient, {
    name: DEMO_NAME,
    timeZone: 'UTC',
  });
  return client!.id;
}

/**
 * A shop with two missions, points for each, a coupon for both, and the coupon on the marketplace. Creates missing parts, so that it may be
 * interrupted at any point and called again.
 */
export async function completeDemoShop(operations: Operations, clientId: string): Promise<void> {
  const call = callAs(operations, clientId);
  const { eventDefinitions } = await call(TriggerService.method.listEventDefinitions, {});
  for (const [programmaticCode, type] of [
    ['LOGIN', EventDefinition_Type.SINGLE],
    ['PURCHASE', EventDefinition_Type.AMOUNT],
    ['REFERRAL', EventDefinition_Type.SINGLE],
  ] as const) {
    if (eventDefinitions.some((known) => known.programmaticCode === programmaticCode)) continue;
    await call(EventDefinitionAdminService.method.createEventDefinition, { programmaticCode, type });
  }
  const productId = await ensureCoupons(call);
  await ensureCampaign(call, productId);
  await ensurePublication(call, productId);
}

/** Whether the shop is complete. Its publication is created last. */
export async function isDemoShopComplete(operations: Operations, clientId: string): Promise<boolean> {
  const { rows } = await callAs(operations, clientId)(PublicationAdminService.method.listPublications, ALL);
  return rows.some(({ name, status }) => name === COUPON && status === Publication_Status.PUBLISHED_ON_MARKETPLACE);
}

/** Creates a credential of the demo. Others with that name are revoked, because their secrets are lost. */
export async function replaceDemoCredential(
  operations: Operations,
  clientId: string,
  kind: Credential_Kind,
): Promise<string> {
  const call = callAs(operations, clientId);
  const isKey = kind === Credential_Kind.API_KEY;
  const name = isKey ? 'Demo integrator' : 'Demo operator';
  const { rows } = await call(CredentialAdminService.method.listCredentials, ALL);
  for (const lost of rows.filter((known) => known.name === name && known.revokedAt === undefined)) {
    await call(CredentialAdminService.method.revokeCredential, { id: lost.id });
  }
  const role = isKey ? {} : { role: Role.SERVICE_ADMIN };
  return (await call(CredentialAdminService.method.createCredential, { kind, name, ...role })).secret;
}

const ALL = { page: 1, limit: 1_000 } as const;
const COUPON = 'Coffee coupon';

async function ensureCoupons(call: Call): Promise<string> {
  const { rows } = await call(ProductAdminService.method.listProducts, ALL);
  const known = rows.find(({ name }) => name === COUPON);
  const { product = known } = known
    ? {}
    : await call(ProductAdminService.method.createProduct, {
        name: COUPON,
        description: 'A coffee on the house.',
        stockMode: Product_StockMode.CODES,
      });
  const { id } = product!;
  // Existing codes are skipped.
  const codes = Array.from({ length: 50 }, (_, index) => `COFFEE-${String(index + 1).padStart(4, '0')}`);
  await call(ProductAdminService.method.addProductCodes, { id, codes });
  return id;
}

async function ensurePublication(call: Call, productId: string): Promise<void> {
  const { rows } = await call(PublicationAdminService.method.listPublications, ALL);
  const known = rows.find(({ name }) => name === COUPON);
  const { publication = known } = known
    ? {}
    : await call(PublicationAdminService.method.createPublication, {
        productId,
        name: COUPON,
        description: 'A coffee for 150 points.',
        stock: 20,
        pointsCost: 150,
      });
  await call(MarketplaceService.method.publishPublication, { id: publication!.id });
}

async function ensureCampaign(call: Call, productId: string): Promise<void> {
  const { rows } = await call(CampaignAdminService.method.listCampaigns, ALL);
  const known = rows.find(({ name }) => name === 'Welcome');
  const { campaign = known } = known ? {} : await createCampaign(call, productId);
  if (campaign!.status === Campaign_Status.DRAFT) {
    await call(CampaignAdminService.method.activateCampaign, { id: campaign!.id });
  }
}

async function createCampaign(call: Call, productId: string) {
  const audiences = (await call(AudienceAdminService.method.listAudiences, ALL)).rows;
  const { audience = audiences.find(({ name }) => name === 'Everyone') } = audiences.some(
    ({ name }) => name === 'Everyone',
  )
    ? {}
    : await call(AudienceAdminService.method.createAudience, { name: 'Everyone', kind: Audience_Kind.EVERYONE });
  const rewards = (await call(RewardAdminService.method.listRewards, ALL)).rows;
  const ensureReward = async (wanted: MessageInitShape<typeof CreateRewardRequestSchema>) =>
    rewards.find(({ name }) => name === wanted.name) ??
    (await call(RewardAdminService.method.createReward, wanted)).reward!;
  const points = await ensureReward({ name: '100 points', type: Reward_Type.POINTS, amount: 100 });
  const coupon = await ensureReward({ name: COUPON, type: Reward_Type.PRODUCTS, amount: 1, productId });
  const mission = (name: string, programmaticCode: string, target: number) => ({
    type: Mission_Type.MISSION,
    name,
    programmaticCode,
    target,
    rewardIds: [points.id],
  });
  return call(CampaignAdminService.method.createCampaign, {
    campaign: {
      name: 'Welcome',
      description: 'Come back three times and spend 50.',
      audienceIds: [audience!.id],
      rewardIds: [coupon.id],
      missions: [mission('Come back three times', 'LOGIN', 3), mission('Spend 50', 'PURCHASE', 50)],
    },
  });
}

/** Calls an operation in this process. */
type Call = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
) => Promise<MessageShape<O>>;

/** The operations as an operator of one client calls them: the demo needs no special rights. */
function callAs(operations: Operations, clientId: string): Call {
  // The provisioning process has no credential.
  const principal = { clientId, credentialId: NIL_UUID, role: 'SERVICE_ADMIN' } as const;
  const call = {
    contextValues: createContextValues().set(principalKey, principal),
    signal: new AbortController().signal,
    requestMethod: 'POST',
    url: 'demo:',
    header: new Headers(),
  };
  return async <I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
  ) => {
    const { message } = await operations.invoke(method, create(method.input, request), call);
    return message as MessageShape<O>;
  };
}
