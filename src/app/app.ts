import { partsOfAccount } from './parts-of-account.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { routes } from '../../gen/routes.ts';
import { createAlerts } from '../alerts/alerts.ts';
import { createMailer } from '../alerts/delivery/mailer.ts';
import type { SmtpSettings } from '../alerts/delivery/smtp-settings.ts';
import { causesWith } from './attention.ts';
import { createCatalogs } from '../campaigns/catalog/catalog.ts';
import { catalogMetrics } from '../campaigns/catalog/catalog-metrics.ts';
import { authenticator as createAuthenticator } from '../clients/credentials/authenticate.ts';
import { credentialThrottle } from '../clients/credentials/credential-throttle.ts';
import { type OidcSettings, oidcSignIn } from '../clients/sign-in/oidc.ts';
import { createGateway } from '../gateway/gateway.ts';
import { createStreamedRoutes } from '../gateway/streamed-routes.ts';
import { scheduledJobs, type Retention } from '../housekeeping/scheduled-jobs.ts';
import { createHousekeeping } from '../housekeeping/housekeeping.ts';
import { IMPORT_QUOTA, type ImportQuota } from '../imports/import-quota.ts';
import { createImportWorker, type ImportMachinery, type ImportWorker } from '../imports/worker/import-worker.ts';
import type { Journaling } from '../journal/journal.queries.ts';
import type { Clock } from '../kernel/clock.ts';
import type { NewLimiter } from '../kernel/limiter.ts';
import type { SecretBox } from '../kernel/secret-box.ts';
import { doubtMetrics } from '../housekeeping/clock/doubt-metrics.ts';
import type { ClockWatch } from '../housekeeping/clock/clock-watch.ts';
import { clockMetrics } from '../persistence/watches/clock-metrics.ts';
import type { DatabaseClock } from '../persistence/watches/database-clock.ts';
import type { Database } from '../persistence/database.ts';
import { activityIn } from '../statistics/activity-counts.ts';
import { backlogMetrics } from '../persistence/watches/backlog.ts';
import { jobMetrics } from '../housekeeping/job-metrics.ts';
import { closePlan } from './close-plan.ts';
import { backlogs } from './backlogs.ts';
import { restErrors } from '../server/rpc/connect-error.ts';
import type { Exchange } from '../server/http/exchange.ts';
import type { TlsFiles } from '../server/http/tls-files.ts';
import { createOidcPages, OIDC_START } from '../server/pages/oidc-pages.ts';
import { createOperations, type Operations } from '../server/rpc/operations.ts';
import type { RateLimitOptions } from '../server/http/rate-limit.ts';
import { type CloseOptions, startServer } from '../server/server.ts';
import { createEmitter, type Emitter } from '../triggers/emitter.ts';
import { createLargeClients } from '../triggers/large-clients.ts';
import { createInbox, type Inbox } from '../triggers/inbox/inbox.ts';
import { createDispatcher } from '../webhooks/delivery/dispatcher.ts';
import { warnOfPlainSecrets } from '../webhooks/configuration/plain-secrets.ts';
import { createWebhookSender } from '../webhooks/delivery/webhook-sender.ts';
import { createActivityCounters } from '../statistics/activity-counters.ts';
import { addServices } from './services.ts';
import { createMetrics, type Expose, type Metrics } from '../server/metrics.ts';
import { retryMetrics, webhookMetrics } from '../webhooks/delivery/webhook-metrics.ts';

/** What one process of the service is made of. */
export type AppOptions = {
  readonly db: Database;
  readonly secrets: SecretBox;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Tells how far this machine's clock is from `clock`; not told in the metrics if left out. */
  readonly clockSkew?: Pick<DatabaseClock, 'skewMs'>;
  /** Tells whether `clock` is to be trusted with what cannot be undone; it always is if left out. It is handed in running. */
  readonly clockWatch?: ClockWatch;
  readonly host?: string;
  /** 0 lets the system choose one. */
  readonly port: number;
  /** The certificate of the port and its key; plaintext if left out. */
  readonly tls?: TlsFiles | undefined;
  /** Trigger batches that run at once, of each kind: applied at once, accepted, applied later. Each holds a database connection. */
  readonly triggerConcurrency: number;
  /** Failures after which an asynchronous trigger is dead. */
  readonly asyncAttempts?: number;
  /** Definitions of all clients kept in memory; {@link DEFINITIONS_MAX} by default. */
  readonly catalogDefinitions?: number | undefined;
  readonly webhookAllowPrivate: boolean;
  /** Messages whose secret no configured key opens fail, instead of waiting for a process that has the key; false if left out. */
  readonly acceptLostSecrets?: boolean;
  /** Refuse to send webhook secrets over plain http; false if left out. */
  readonly webhookRequireTls?: boolean;
  /** The provider at which people may sign in beside by password. */
  readonly oidc?: OidcSettings | undefined;
  /** Makes what loads CSV files; by default they are loaded in this thread. */
  readonly importWorker?: (machinery: ImportMachinery) => ImportWorker;
  /** The mail server that sends e-mails; without one none are sent. */
  readonly smtp?: SmtpSettings | undefined;
  /** Where people reach the console; what is sent has no links without it. */
  readonly publicUrl?: URL | undefined;
  readonly corsOrigins?: readonly string[];
  /** Requests of one credential; any number if left out. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** Streams without a credential that one address may have open in this process; 100 by default. */
  readonly publicStreams?: number | undefined;
  /** Connections that begin in a second, of an address from which no credential was accepted; 20 by default, 0 for any number. */
  readonly anonymousConnectionsPerSecond?: number | undefined;
  /** Makes what counts callers who ask, guess or fail too often; each process counts for itself if left out. */
  readonly newLimiter?: NewLimiter | undefined;
  /** Unknown credentials of one address within a minute; any number if left out or 0. */
  readonly unknownCredentialsPerMinute?: number;
  readonly trustForwarded?: boolean;
  /** Whether people may sign in over plain http from another machine. */
  readonly insecureCookies?: boolean | undefined;
  /** Bytes of request bodies that are held at once; 64 MiB by default. */
  readonly bodyBudgetBytes?: number;
  /** What one client may have staged of files to load; {@link IMPORT_QUOTA} if left out. */
  readonly importQuota?: ImportQuota | undefined;
  readonly metricsToken?: string | undefined;
  /** The API key of the service's own demo, for `/docs` opened on this machine by a link with the word; undefined for any other. */
  readonly demoKey?: ((word: string) => string | undefined) | undefined;
  /** Whether the metrics tell what waits in the database; true if left out. One of several processes is enough. */
  readonly watchBacklog?: boolean;
  /** Share of the log's lines about calls that went well and quickly that is written; 1 if left out. */
  readonly logSuccessShare?: number;
  /** Shows the metrics of several processes as one; those of this process alone if left out. */
  readonly exposeMetrics?: Expose | undefined;
  /** Milliseconds between two writes of what was counted; 5 s by default. */
  readonly statisticsEveryMs?: number;
  /** Milliseconds that it goes on serving after it has said that it is not ready any more; 0 by default. */
  readonly drainDelayMs?: number;
  /** What keeps an eye on whether the database still fits the service; absent: nobody does. It is handed in running. */
  readonly databaseWatch?: { reason(): string | undefined };
  /** How the journal tells what became of events; false where it does not. */
  readonly journal?: Journaling | false | undefined;
  /** Absent: this process does no housekeeping. */
  readonly housekeeping?: Retention;
};

/** A process that serves. */
export type App = {
  readonly port: number;
  /** For calls from inside the process, such as the demo's. */
  readonly operations: Operations;
  /**
   * Answers every accepted request, sends what is being sent, and resolves. Leaves `db` open: it was handed in. Takes nine
   * seconds at most, or four more than a drain delay beyond five: what then still waits for the database is broken off, its
   * callers are answered 503, and no unit of work of `db` runs any more.
   */
  close(options?: CloseOptions): Promise<void>;
};

/** Wires the modules together, by hand and in one place, and starts to serve. */
export async function startApp(options: AppOptions): Promise<App> {
  const {
    db,
    secrets,
    logger,
    clock,
    webhookAllowPrivate: allowPrivate,
    webhookRequireTls: requireTls = false,
  } = options;
  const { drainDelayMs = 0 } = options;
  const plan = closePlan(drainDelayMs);
  const sender = createWebhookSender({ secrets, allowPrivate, requireTls, clock });
  const metrics = createMetrics(options.exposeMetrics, options.metricsToken !== undefined);
  const { catalogDefinitions: definitionsMax } = options;
  const catalogs = createCatalogs({ definitionsMax, metrics: catalogMetrics(metrics.registry) });
  if (options.clockSkew) clockMetrics(metrics.registry, options.clockSkew);
  if (options.clockWatch) doubtMetrics(metrics.registry, options.clockWatch);
  const causes = causesWith(options.clockWatch);
  const secretKeyIds = options.acceptLostSecrets ? undefined : secrets.keyIds;
  const dispatcher = createDispatcher({
    ...{ db, sender, logger, secretKeyIds },
    observe: webhookMetrics(metrics.registry),
    observeRetry: retryMetrics(metrics.registry),
  });
  const activityCounters = createActivityCounters({ db, clock, logger, everyMs: options.statisticsEveryMs });
  const { triggerConcurrency, journal } = options;
  const largeClients = createLargeClients(catalogs, triggerConcurrency);
  const emitter = createEmitter({ db, catalogs, dispatcher, clock, triggerConcurrency, largeClients, journal });
  const attemptsMax = options.asyncAttempts ?? 5;
  const inbox = createInbox({
    db,
    catalogs,
    dispatcher,
    clock,
    logger,
    triggerConcurrency,
    largeClients,
    attemptsMax,
    journal,
  });
  const importWorker = (options.importWorker ?? createImportWorker)({ db, dispatcher, clock, logger });
  const alertChannels = {
    ...{ sender, clock, publicUrl: options.publicUrl, mailer: options.smtp && createMailer(options.smtp) },
  };
  const alerts = createAlerts({ ...alertChannels, db, readers: causes, logger });
  const jobs = options.housekeeping
    ? scheduledJobs(options.housekeeping, { dispatcher, parts: partsOfAccount, secrets: options.secrets, alerts })
    : [];
  const housekeeping = createHousekeeping({
    db,
    jobs,
    clock,
    trustedNow: options.clockWatch?.trustedNow,
    logger,
    observe: jobMetrics(metrics.registry, jobs, clock),
  });
  watchLoad(metrics, { db, emitter, inbox });
  if (options.watchBacklog !== false) backlogMetrics(metrics.registry, db, backlogs);
  db.onCommitted((uow) => {
    const { eventsApplied } = activityIn(uow) ?? {};
    if (eventsApplied) metrics.countEvents(uow.clientId, eventsApplied);
  });
  const { unknownCredentialsPerMinute: misses = 0, insecureCookies, newLimiter } = options;
  const authenticator = createAuthenticator(
    db,
    clock,
    logger,
    misses === 0 ? undefined : credentialThrottle(misses, newLimiter),
  );

  const oidc = options.oidc && oidcSignIn(options.oidc, { db, clock, secrets, newLimiter });

  const operations = createOperations({ logger });
  addServices(operations, {
    ...{
      db,
      clock,
      catalogs,
      dispatcher,
      emitter,
      inbox,
      importWorker,
      secrets,
      activityCounters,
      sender,
      allowPrivate,
    },
    ...{ requireTls, logger, triggerConcurrency, alertChannels, causes },
    importQuota: options.importQuota ?? IMPORT_QUOTA,
    sessions: { secrets, oidc: oidc && { ...oidc, startPath: OIDC_START }, insecureCookies, newLimiter },
  });

  const rest = createGateway<Exchange>({ routes, invoke: operations.invoke, errorOf: restErrors(logger) });
  const server = await startServer({
    port: options.port,
    host: options.host,
    tls: options.tls,
    operations,
    rest,
    streams: createStreamedRoutes(operations.services, operations.stream),
    authenticator,
    morePages: oidc && createOidcPages(oidc, { logger, trustForwarded: options.trustForwarded, insecureCookies }),
    db,
    unreadyReasons: options.databaseWatch && [options.databaseWatch.reason],
    logger,
    metrics,
    corsOrigins: options.corsOrigins,
    rateLimit: options.rateLimit,
    publicStreams: options.publicStreams,
    anonymousConnectionsPerSecond: options.anonymousConnectionsPerSecond,
    newLimiter,
    bodyBudgetBytes: options.bodyBudgetBytes,
    trustForwarded: options.trustForwarded,
    metricsToken: options.metricsToken,
    demoKey: options.demoKey,
    drainDelayMs: options.drainDelayMs,
    logSuccessShare: options.logSuccessShare,
    drainTimeoutMs: plan.cutMs - drainDelayMs,
    openapiPath: fileURLToPath(new URL('../../gen/openapi.yaml', import.meta.url)),
  });
  dispatcher.start();
  inbox.start();
  importWorker.start();
  housekeeping.start();
  activityCounters.start();
  void warnOfPlainSecrets(db, logger, { requireTls });

  return {
    port: server.port,
    operations,
    async close(how) {
      const begun = performance.now();
      const leftUntil = (ms: number) => Math.max(0, ms - (performance.now() - begun));
      const breakOffAt = (ms: number) =>
        setTimeout(() => {
          logger.warn('what waits for the database is broken off, because the service ends');
          void db.breakOff();
        }, leftUntil(ms));
      let breakOff = breakOffAt(plan.breakOffMs);
      // These serve no caller, and need not wait for those who do.
      const background = Promise.all([housekeeping.stop(), importWorker.stop(plan.breakOffMs)]);
      await server.close(how);
      await emitter.idle();
      await inbox.stop();
      await background;
      clearTimeout(breakOff);
      // An attempt at a webhook may take its time, and its outcome is to be recorded.
      breakOff = breakOffAt(plan.endMs);
      await dispatcher.stop(leftUntil(plan.endMs));
      await Promise.race([alerts.idle(), sleep(leftUntil(plan.endMs), undefined, { ref: false })]);
      await activityCounters.stop();
      await authenticator.close();
      clearTimeout(breakOff);
      await metrics.close();
    },
  };
}

/** Shows how busy this process is with what waits in its memory. */
function watchLoad(
  { watch }: Pick<Metrics, 'watch'>,
  { db, emitter, inbox }: { readonly db: Database; readonly emitter: Emitter; readonly inbox: Inbox },
): void {
  watch('laurel_db_connections', 'Connections to PostgreSQL that are open.', () => db.load().connections);
  watch('laurel_db_connections_max', 'Connections that may be open.', () => db.load().connectionsMax);
  watch('laurel_db_connections_used', 'Connections that a unit of work has.', () => db.load().connectionsUsed);
  watch('laurel_db_units_waiting', 'Units of work that wait for a connection.', () => db.load().unitsWaiting);
  watch('laurel_db_reads_waiting', 'Reads that wait for a transaction to share.', () => db.load().readsWaiting);
  watch('laurel_events_waiting', 'Events of calls under way that wait for a batch.', emitter.waiting);
  watch('laurel_accepted_events_waiting', 'Events that wait to be accepted for later.', inbox.waiting);
}
