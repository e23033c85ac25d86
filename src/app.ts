import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { AgreementAdminService } from '../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { AudienceAdminService } from '../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { CampaignAdminService } from '../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { ChestAdminService } from '../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { ClientAdminService } from '../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { CredentialAdminService } from '../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { DeadTriggerAdminService } from '../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import { EventDefinitionAdminService } from '../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { LoyaltyAdminService } from '../gen/laurel/admin/v1/loyalty_admin_service_pb.ts';
import { ProductAdminService } from '../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { PublicationAdminService } from '../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { RewardAdminService } from '../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { AccountService } from '../gen/laurel/v1/account_service_pb.ts';
import { AudienceService } from '../gen/laurel/v1/audience_service_pb.ts';
import { CampaignService } from '../gen/laurel/v1/campaign_service_pb.ts';
import { ChestService } from '../gen/laurel/v1/chest_service_pb.ts';
import { FeedService } from '../gen/laurel/v1/feed_service_pb.ts';
import { LoyaltyService } from '../gen/laurel/v1/loyalty_service_pb.ts';
import { MarketplaceService } from '../gen/laurel/v1/marketplace_service_pb.ts';
import { RedemptionService } from '../gen/laurel/v1/redemption_service_pb.ts';
import { TriggerService } from '../gen/laurel/v1/trigger_service_pb.ts';
import { WebhookService } from '../gen/laurel/v1/webhook_service_pb.ts';
import { routes } from '../gen/routes.ts';
import { accountsService } from './accounts/accounts.service.ts';
import { audienceAdminService } from './audiences/audience-admin.service.ts';
import { audiencesService } from './audiences/audiences.service.ts';
import { campaignAdminService } from './campaigns/campaign-admin.service.ts';
import { campaignsService } from './campaigns/campaigns.service.ts';
import { createCatalogs } from './campaigns/catalog.ts';
import { eventDefinitionAdminService } from './campaigns/event-definition-admin.service.ts';
import { feedService } from './campaigns/feed.service.ts';
import { pendingPointsOf } from './campaigns/pending-points.ts';
import { authenticator as createAuthenticator } from './clients/authenticate.ts';
import { clientAdminService } from './clients/client-admin.service.ts';
import { credentialAdminService } from './clients/credential-admin.service.ts';
import { createGateway } from './gateway/gateway.ts';
import type { Clock } from './kernel/clock.ts';
import type { SecretBox } from './kernel/secret-box.ts';
import { agreementAdminService } from './marketplace/agreement-admin.service.ts';
import { marketplaceService } from './marketplace/marketplace.service.ts';
import { publicationAdminService } from './marketplace/publication-admin.service.ts';
import type { Database } from './persistence/database.ts';
import { eraseRedeemables } from './redemptions/redemptions.queries.ts';
import { redemptionService } from './redemptions/redemption.service.ts';
import { chestAdminService } from './rewards/chest-admin.service.ts';
import { chestService } from './rewards/chest.service.ts';
import { loyaltyAdminService } from './rewards/loyalty-admin.service.ts';
import { loyaltyService } from './rewards/loyalty.service.ts';
import { productAdminService } from './rewards/product-admin.service.ts';
import { rewardAdminService } from './rewards/reward-admin.service.ts';
import { restErrors } from './server/connect-error.ts';
import type { Exchange } from './server/exchange.ts';
import { createOperations, type Operations } from './server/operations.ts';
import { startServer } from './server/server.ts';
import { createEmitter } from './triggers/emitter.ts';
import { deadTriggerAdminService } from './triggers/inbox/dead-trigger-admin.service.ts';
import { createInbox } from './triggers/inbox/inbox.ts';
import { triggersService } from './triggers/triggers.service.ts';
import { createDispatcher } from './webhooks/dispatcher.ts';
import { createWebhookSender } from './webhooks/webhook-sender.ts';
import { webhooksService } from './webhooks/webhooks.service.ts';

/** What one process of the service is made of. */
export type AppOptions = {
  readonly db: Database;
  readonly secrets: SecretBox;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly host?: string;
  /** 0 lets the system choose one. */
  readonly port: number;
  /** Trigger batches that run at once, of each kind: applied at once, accepted, applied later. Each holds a database connection. */
  readonly laneCount: number;
  /** Failures that make an asynchronous trigger a dead letter. */
  readonly asyncAttempts?: number;
  readonly webhookAllowPrivate: boolean;
  readonly corsOrigins?: readonly string[];
};

/** A process that serves. */
export type App = {
  readonly port: number;
  /** For calls from inside the process, such as the demo's. */
  readonly operations: Operations;
  /** Answers every accepted request, sends what is being sent, and resolves. Leaves `db` open: it was handed in. */
  close(): Promise<void>;
};

/** Wires the rooms together, by hand and in one place, and starts to serve. */
export async function startApp(options: AppOptions): Promise<App> {
  const { db, secrets, logger, clock, webhookAllowPrivate: allowPrivate } = options;
  const catalogs = createCatalogs();
  const sender = createWebhookSender({ secrets, allowPrivate });
  const dispatcher = createDispatcher({ db, sender, logger });
  const emitter = createEmitter({ db, catalogs, dispatcher, clock, laneCount: options.laneCount });
  const attemptsMax = options.asyncAttempts ?? 5;
  const inbox = createInbox({ db, catalogs, dispatcher, clock, logger, laneCount: options.laneCount, attemptsMax });
  const authenticator = createAuthenticator(db, clock, logger);

  const operations = createOperations({ logger });
  operations.add(AccountService, accountsService(db, { clock, erasers: [eraseRedeemables] }));
  operations.add(AudienceService, audiencesService(db, clock));
  operations.add(CampaignService, campaignsService({ db, catalogs, dispatcher, clock }));
  operations.add(ChestService, chestService(db, clock));
  operations.add(FeedService, feedService(db, catalogs, clock));
  operations.add(LoyaltyService, loyaltyService(db, clock, pendingPointsOf(catalogs)));
  operations.add(MarketplaceService, marketplaceService({ db, clock, dispatcher }));
  operations.add(RedemptionService, redemptionService(db));
  operations.add(TriggerService, triggersService({ db, emitter, inbox, catalogs, clock }));
  operations.add(WebhookService, webhooksService({ db, secrets, sender, allowPrivate }));
  operations.add(AgreementAdminService, agreementAdminService(db, clock));
  operations.add(AudienceAdminService, audienceAdminService(db));
  operations.add(ClientAdminService, clientAdminService(db));
  operations.add(CredentialAdminService, credentialAdminService(db, clock));
  operations.add(CampaignAdminService, campaignAdminService(db, clock));
  operations.add(ChestAdminService, chestAdminService(db));
  operations.add(LoyaltyAdminService, loyaltyAdminService(db, clock));
  operations.add(ProductAdminService, productAdminService(db, clock, dispatcher));
  operations.add(PublicationAdminService, publicationAdminService(db, clock));
  operations.add(RewardAdminService, rewardAdminService(db));
  operations.add(DeadTriggerAdminService, deadTriggerAdminService(db, inbox));
  operations.add(EventDefinitionAdminService, eventDefinitionAdminService(db));

  const rest = createGateway<Exchange>({ routes, invoke: operations.invoke, errorOf: restErrors(logger) });
  const server = await startServer({
    port: options.port,
    host: options.host,
    operations,
    rest,
    authenticator,
    db,
    logger,
    corsOrigins: options.corsOrigins,
    openapiPath: fileURLToPath(new URL('../gen/openapi.yaml', import.meta.url)),
  });
  dispatcher.start();
  inbox.start();

  return {
    port: server.port,
    operations,
    async close() {
      await server.close();
      await emitter.idle();
      await inbox.stop();
      await dispatcher.stop();
      await authenticator.close();
    },
  };
}
