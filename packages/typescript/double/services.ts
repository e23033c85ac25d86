// The operations of the double: the handlers of the service, over rows in memory.
import type { DescMethod, DescService } from '@bufbuild/protobuf';
import {
  type ConnectError,
  type ConnectRouter,
  createRouterTransport,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect';
import { AudienceAdminService } from '../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { CampaignAdminService } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { EventDefinitionAdminService } from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { MissionAdminService } from '../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { ProductAdminService } from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { RewardAdminService } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { AccountService } from '../../../gen/laurel/v1/account_service_pb.ts';
import { FeedService } from '../../../gen/laurel/v1/feed_service_pb.ts';
import { LoyaltyService } from '../../../gen/laurel/v1/loyalty_service_pb.ts';
import { TriggerService } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { createAccount } from '../../../src/accounts/create-account.ts';
import { deleteAccount } from '../../../src/accounts/delete-account.ts';
import { getAccount } from '../../../src/accounts/get-account.ts';
import { resolveAccount } from '../../../src/accounts/resolving/resolve-account.ts';
import { updateAccount } from '../../../src/accounts/update-account.ts';
import { createAudience } from '../../../src/audiences/create-audience.ts';
import { activateCampaign } from '../../../src/campaigns/activation/activate-campaign.ts';
import { createCampaign } from '../../../src/campaigns/campaigns/create-campaign.ts';
import { endCampaign } from '../../../src/campaigns/campaigns/end-campaign.ts';
import { getCampaign } from '../../../src/campaigns/campaigns/get-campaign.ts';
import { pauseCampaign } from '../../../src/campaigns/campaigns/pause-campaign.ts';
import { createCatalogs } from '../../../src/campaigns/catalog/catalog.ts';
import { createEventDefinition } from '../../../src/campaigns/event-definitions/create-event-definition.ts';
import { getEventDefinition } from '../../../src/campaigns/event-definitions/get-event-definition.ts';
import { listEventDefinitions } from '../../../src/campaigns/event-definitions/list-event-definitions.ts';
import { feedService } from '../../../src/campaigns/feed/feed.service.ts';
import { pendingPointsOf } from '../../../src/campaigns/feed/pending-points.ts';
import { checkFormula } from '../../../src/campaigns/formulas/check-formula.ts';
import { createMission } from '../../../src/campaigns/missions/create-mission.ts';
import { endMission } from '../../../src/campaigns/missions/end-mission.ts';
import { getMission } from '../../../src/campaigns/missions/get-mission.ts';
import { type Handlers, withCalls } from '../../../src/clients/call.ts';
import { type Principal, principalKey } from '../../../src/clients/principal.ts';
import { DomainError } from '../../../src/kernel/errors/domain-error.ts';
import { sentence } from '../../../src/kernel/sentence.ts';
import { getPoints } from '../../../src/loyalty/get-points.ts';
import { listPointEntries } from '../../../src/loyalty/list-point-entries.ts';
import { createReward } from '../../../src/rewards/definitions/create-reward.ts';
import { dropPendingRewards } from '../../../src/rewards/delivery/drop-pending-rewards.ts';
import { createProduct } from '../../../src/rewards/products/create-product.ts';
import { errorsInterceptor } from '../../../src/server/interceptors/errors.ts';
import { validationInterceptor } from '../../../src/server/interceptors/validation.ts';
import { connectErrorOf } from '../../../src/server/rpc/connect-error.ts';
import { createEmitter } from '../../../src/triggers/emitter.ts';
import { emitTriggerBatch } from '../../../src/triggers/emit-trigger-batch.ts';
import { emitTrigger } from '../../../src/triggers/emit-trigger.ts';
import { CLIENT_ID, memoryDatabase, Store } from './store.ts';

/** The transport of a double. @param clock its time */
export function doubleTransport(timeZone: string, clock: () => Date): Transport {
  const db = memoryDatabase(new Store(timeZone), clock);
  const catalogs = createCatalogs();
  const emitter = createEmitter({
    ...{ db, catalogs, clock, triggerConcurrency: 1 },
    dispatcher: { wake() {} },
    largeClients: { has: () => false, run: (_, batch) => batch() },
  });
  const services: Had[] = [
    had(AccountService, { resolveAccount, createAccount, getAccount, updateAccount, deleteAccount: released }),
    had(TriggerService, {
      listEventDefinitions,
      emitTrigger: (call, request) => emitTrigger(call, request, emitter),
      emitTriggerBatch: (call, request) => emitTriggerBatch(call, request, emitter),
    }),
    had(FeedService, feedService(catalogs)),
    had(LoyaltyService, {
      getPoints: (call, request) => getPoints(call, request, pendingPointsOf(catalogs)),
      listPointEntries,
    }),
    had(EventDefinitionAdminService, { createEventDefinition, getEventDefinition }),
    had(RewardAdminService, { createReward: (call, request) => createReward(call, request, checkFormula) }),
    had(ProductAdminService, { createProduct }),
    had(AudienceAdminService, { createAudience }),
    had(CampaignAdminService, { createCampaign, getCampaign, activateCampaign, pauseCampaign, endCampaign }),
    had(MissionAdminService, { createMission, getMission, endMission }),
  ];
  const routes = (router: ConnectRouter) => {
    for (const { service, handlers } of services)
      router.service(service, withCalls({ db, clock }, handlers as Handlers<DescService>));
  };
  const interceptors = [errorsInterceptor(shown), signedIn, validationInterceptor()];
  return refusingOthers(createRouterTransport(routes, { router: { interceptors } }), services);
}

/** A service, and those of its operations that the double has. */
type Had = { readonly service: DescService; readonly handlers: object };

function had<S extends DescService>(service: S, handlers: Partial<Handlers<S>>): Had {
  return { service, handlers };
}

/** Answers operations that the double does not have, of all services, without their descriptors. */
function refusingOthers(transport: Transport, services: readonly Had[]): Transport {
  const known = new Set(
    services.flatMap(({ service, handlers }) => Object.keys(handlers).map((name) => `${service.typeName}/${name}`)),
  );
  return {
    unary: (method, ...rest) => {
      if (known.has(`${method.parent.typeName}/${method.localName}`)) return transport.unary(method, ...rest);
      return Promise.reject(lacking(method));
    },
    stream: (method) => Promise.reject(lacking(method)),
  };
}

function lacking({ parent, name }: DescMethod): ConnectError {
  const words = sentence`The test double does not have ${parent.name}/${name}. Make this call with a service.`;
  return connectErrorOf(new DomainError('NOT_IMPLEMENTED', words), undefined, shown);
}

const released: Handlers<typeof AccountService>['deleteAccount'] = (call, request) =>
  deleteAccount(call, request, [dropPendingRewards]);

/** Unexpected errors are faults of the double, and are shown. */
const shown = { error: ({ err }: { readonly err: unknown }) => console.error(err) } as unknown as Parameters<
  typeof errorsInterceptor
>[0];

const principal: Principal = { clientId: CLIENT_ID, credentialId: CLIENT_ID, role: 'CLIENT_ADMIN' };

/** Every caller may do everything, with any key or none. */
const signedIn: Interceptor = (next) => (request) => {
  request.contextValues.set(principalKey, principal);
  return next(request);
};
