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
import { RewardAdminService } from '../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { Role } from '../../gen/laurel/auth/v1/options_pb.ts';
import { Audience_Kind } from '../../gen/laurel/v1/audience_pb.ts';
import { EventDefinition_Type } from '../../gen/laurel/v1/event_definition_pb.ts';
import { MarketplaceService } from '../../gen/laurel/v1/marketplace_service_pb.ts';
import { Mission_Type } from '../../gen/laurel/v1/mission_pb.ts';
import { Reward_Type } from '../../gen/laurel/v1/reward_pb.ts';
import { principalKey } from '../clients/principal.ts';
import type { Operations } from '../server/operations.ts';

/** Who provisions: no credential of anybody's. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** What the demo client is known by. */
export type DemoShop = {
  readonly clientId: string;
  /** For the integrator's calls. */
  readonly apiKey: string;
  /** For webhooks and `/admin`, of every client. */
  readonly accessToken: string;
};

/** A shop with two missions, points for each, a coupon for both, and the coupon on the marketplace. */
export async function createDemoShop(operations: Operations): Promise<DemoShop> {
  const { client } = await callAs(operations, NIL_UUID)(ClientAdminService.method.createClient, {
    name: 'Demo shop',
    timeZone: 'UTC',
  });
  const clientId = client!.id;
  const call = callAs(operations, clientId);
  const key = await call(CredentialAdminService.method.createCredential, {
    kind: Credential_Kind.API_KEY,
    name: 'Demo integrator',
  });
  const token = await call(CredentialAdminService.method.createCredential, {
    kind: Credential_Kind.ACCESS_TOKEN,
    role: Role.SERVICE_ADMIN,
    name: 'Demo operator',
  });
  for (const [programmaticCode, type] of [
    ['LOGIN', EventDefinition_Type.SINGLE],
    ['PURCHASE', EventDefinition_Type.AMOUNT],
    ['REFERRAL', EventDefinition_Type.SINGLE],
  ] as const) {
    await call(EventDefinitionAdminService.method.createEventDefinition, { programmaticCode, type });
  }
  const productId = await createCoupons(call);
  await createCampaign(call, productId);
  await createPublication(call, productId);
  return { clientId, apiKey: key.secret, accessToken: token.secret };
}

async function createCoupons(call: Call): Promise<string> {
  const { product } = await call(ProductAdminService.method.createProduct, {
    name: 'Coffee coupon',
    description: 'A coffee on the house.',
    stockMode: Product_StockMode.CODES,
  });
  const codes = Array.from({ length: 50 }, (_, index) => `COFFEE-${String(index + 1).padStart(4, '0')}`);
  await call(ProductAdminService.method.addProductCodes, { id: product!.id, codes });
  return product!.id;
}

async function createPublication(call: Call, productId: string): Promise<void> {
  const { publication } = await call(PublicationAdminService.method.createPublication, {
    productId,
    name: 'Coffee coupon',
    description: 'A coffee for 150 points.',
    stock: 20,
    pointsCost: 150,
  });
  await call(MarketplaceService.method.publishPublication, { id: publication!.id });
}

async function createCampaign(call: Call, productId: string): Promise<void> {
  const { audience } = await call(AudienceAdminService.method.createAudience, {
    name: 'Everyone',
    kind: Audience_Kind.EVERYONE,
  });
  const { reward: points } = await call(RewardAdminService.method.createReward, {
    name: '100 points',
    type: Reward_Type.POINTS,
    amount: 100,
  });
  const { reward: coupon } = await call(RewardAdminService.method.createReward, {
    name: 'Coffee coupon',
    type: Reward_Type.PRODUCTS,
    amount: 1,
    productId,
  });
  const { campaign } = await call(CampaignAdminService.method.createCampaign, {
    campaign: {
      name: 'Welcome',
      description: 'Come back three times and spend 50.',
      audienceIds: [audience!.id],
      rewardIds: [coupon!.id],
      missions: [
        {
          type: Mission_Type.MISSION,
          name: 'Come back three times',
          programmaticCode: 'LOGIN',
          target: 3,
          rewardIds: [points!.id],
        },
        {
          type: Mission_Type.MISSION,
          name: 'Spend 50',
          programmaticCode: 'PURCHASE',
          target: 50,
          rewardIds: [points!.id],
        },
      ],
    },
  });
  await call(CampaignAdminService.method.activateCampaign, { id: campaign!.id });
}

/** Calls an operation in this process. */
type Call = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
) => Promise<MessageShape<O>>;

/** The operations as an operator of one client calls them: the demo is made of what everybody can do. */
function callAs(operations: Operations, clientId: string): Call {
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
