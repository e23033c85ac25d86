import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
import { RewardAdminService } from '../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { Role } from '../../gen/laurel/auth/v1/options_pb.ts';
import { Audience_Kind } from '../../gen/laurel/v1/audience_pb.ts';
import { EventDefinition_Type } from '../../gen/laurel/v1/event_definition_pb.ts';
import { Mission_Type } from '../../gen/laurel/v1/mission_pb.ts';
import { Reward_Type } from '../../gen/laurel/v1/reward_pb.ts';
import { principalKey } from '../clients/principal.ts';
import type { Config } from '../config.ts';
import type { Database } from '../persistence/database.ts';
import type { Operations } from '../server/operations.ts';

/** What a newcomer needs to try the service; kept in `.laurel/demo.json`, readable by its owner alone. */
export type Demo = {
  readonly baseUrl: string;
  readonly clientId: string;
  /** For the integrator's calls. */
  readonly apiKey: string;
  /** For webhooks and `/admin`, of every client. */
  readonly accessToken: string;
};

const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/**
 * On an empty database: creates the demo client and writes its credentials down. Later: gives what was written down, with
 * the present address. Undefined where there are clients that are not the demo's.
 */
export async function provisionDemo(
  db: Database,
  operations: Operations,
  config: Config,
  port: number,
): Promise<Demo | undefined> {
  const file = join(config.dataFolder, 'demo.json');
  const baseUrl = `http://127.0.0.1:${port}`;
  const credentials = (await hasClients(db)) ? await readDemo(file) : await createDemo(operations);
  if (!credentials) return undefined;
  const demo = { ...credentials, baseUrl };
  await mkdir(config.dataFolder, { recursive: true });
  await writeFile(file, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return demo;
}

/** Prints one line to paste, which progresses a mission. */
export function announceDemo(demo: Demo | undefined): void {
  if (!demo) return;
  const event = { programmaticCode: 'LOGIN', accountId: 'ada', idType: 'EXTERNAL' };
  console.log(`
Laurel serves at ${demo.baseUrl}. Try the first event:

  curl -sS ${demo.baseUrl}/gamification/triggers -H 'Authorization: Bearer ${demo.apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(event)}'

Keys are in .laurel/demo.json, the API's description is at ${demo.baseUrl}/docs. Ctrl-C stops.
`);
}

async function hasClients(db: Database): Promise<boolean> {
  const rows = await db.systemUnitOfWork((uow) => uow.query('select 1 from client limit 1'));
  return rows.length > 0;
}

async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Demo;
  } catch {
    return undefined;
  }
}

/** A shop with two missions, points for each event that completes one, and a coupon for both. */
async function createDemo(operations: Operations): Promise<Omit<Demo, 'baseUrl'>> {
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
  await createDemoCampaign(call);
  return { clientId, apiKey: key.secret, accessToken: token.secret };
}

async function createDemoCampaign(call: Call): Promise<void> {
  const { audience } = await call(AudienceAdminService.method.createAudience, {
    name: 'Everyone',
    kind: Audience_Kind.EVERYONE,
  });
  const { product } = await call(ProductAdminService.method.createProduct, {
    name: 'Coffee coupon',
    description: 'A coffee on the house.',
    stockMode: Product_StockMode.CODES,
  });
  const codes = Array.from({ length: 50 }, (_, index) => `COFFEE-${String(index + 1).padStart(4, '0')}`);
  await call(ProductAdminService.method.addProductCodes, { id: product!.id, codes });
  const { reward: points } = await call(RewardAdminService.method.createReward, {
    name: '100 points',
    type: Reward_Type.POINTS,
    amount: 100,
  });
  const { reward: coupon } = await call(RewardAdminService.method.createReward, {
    name: 'Coffee coupon',
    type: Reward_Type.PRODUCTS,
    amount: 1,
    productId: product!.id,
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
