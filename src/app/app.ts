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
import { revokedAccounts } from '../accounts/tokens/tokens-valid-from.queries.ts';
import { createTokenChecker } from '../clients/account-tokens/check-token.ts';
import { issuerFinder } from '../clients/account-tokens/issuers.queries.ts';
import { createTokenWatch } from '../clients/account-tokens/token-watch.ts';
import { authenticator as createAuthenticator } from '../clients/credentials/authenticate.ts';
import { createReadmission } from '../clients/credentials/readmission.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import { credentialThrottle } from '../clients/credentials/credential-throttle.ts';
import { type OidcSettings, oidcSignIn } from '../clients/sign-in/oidc.ts';
import { createGateway } from '../gateway/gateway.ts';
import { createStreamedRoutes } from '../gateway/streamed-routes.ts';
import { scheduledJobs, type Retention } from '../housekeeping/scheduled-jobs.ts';
import { createHousekeeping } from '../housekeeping/housekeeping.ts';
import { IMPORT_QUOTA, type ImportQuota } from '../imports/import-quota.ts';
import { createImportWorker, type ImportMachinery, type ImportWorker } from '../imports/worker/import-worker.ts';
import type { Journaling } from '../journal/journal.queries.ts';
import { readProgress } from '../journal/read-progress.ts';
import type { Clock } from '../kernel/time/clock.ts';
import type { NewLimiter } from '../kernel/concurrency/limiter.ts';
import type { SecretBox } from '../kernel/secrets/secret-box.ts';
import { doubtMetrics } from '../housekeeping/clock/doubt-metrics.ts';
import type { ClockWatch } from '../housekeeping/clock/clock-watch.ts';
import { clockMetrics } from '../persistence/watches/clock-metrics.ts';
import type { DatabaseClock } from '../persistence/watches/database-clock.ts';
import type { Database } from '../persistence/database.ts';
import { activityIn } from '../activity/activity-counts.ts';
import { backlogMetrics } from '../persistence/watches/backlog.ts';
import { jobMetrics } from '../housekeeping/job-metrics.ts';
import { closePlan } from './close-plan.ts';
import { backlogs } from './backlogs.ts';
import { restErrors } from '../server/rpc/connect-error.ts';
import type { Exchange } from '../server/http/exchange.ts';
import { createOidcPages, OIDC_START } from '../server/pages/oidc-pages.ts';
import { createOperations, type Operations } from '../server/rpc/operations.ts';
import { type CloseOptions, type ServerOptions, startServer } from '../server/server.ts';
import { createEmitter, type Emitter } from '../triggers/emitter.ts';
import { createLargeClients } from '../triggers/large-clients.ts';
import { createInbox, type Inbox } from '../triggers/inbox/inbox.ts';
import { createDispatcher } from '../webhooks/delivery/dispatcher.ts';
import { warnOfPlainSecrets } from '../webhooks/configuration/plain-secrets.ts';
import { createWebhookSender } from '../webhooks/delivery/webhook-sender.ts';
import { createCallCollector } from '../refused-calls/collect-calls.ts';
import { createActivityCounters } from '../activity/activity-counters.ts';
import { collectedIn } from '../changes/collect-changes.ts';
import { createFeedEnds } from '../changes/feed-ends.ts';
import { createAccountStreams, type StreamMeans } from '../changes/watching/account-streams.ts';
import { createNumberingWorker } from '../changes/numbering-worker.ts';
import { feedChanges } from './record-changes.ts';
import { readRelease } from './release.ts';
import { addServices } from './services.ts';
import { createMetrics, type Expose, type Metrics } from '../server/metrics.ts';
import { retryMetrics, webhookMetrics } from '../webhooks/delivery/webhook-metrics.ts';

/** The dependencies of one process of the service. */
export type AppOptions = {
  readonly db: Database;
  readonly secrets: SecretBox;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The port, and the rules for its connections. */
  readonly server: Pick<
    ServerOptions,
    | 'port'
    | 'host'
    | 'tls'
    | 'corsOrigins'
    | 'trustForwarded'
    | 'rateLimit'
    | 'accountRateLimit'
    | 'publicStreams'
    | 'anonymousConnectionsPerSecond'
    | 'bodyBudgetBytes'
    | 'metricsToken'
    | 'demoKey'
    | 'drainDelayMs'
    | 'logSuccessShare'
  >;
  readonly events: EventOptions;
  readonly webhooks: WebhookOptions;
  readonly signIn?: SignInOptions;
  /** The means of sending alerts. */
  readonly alerts?: {
    /** The mail server; without one the service sends no e-mails. */
    readonly smtp?: SmtpSettings | undefined;
    /** The address of the console; without it messages have no links. */
    readonly publicUrl?: URL | undefined;
  };
  /** The loading of CSV files. */
  readonly imports?: {
    /** Creates the worker that loads files; by default they are loaded in this thread. */
    readonly worker?: ((machinery: ImportMachinery) => ImportWorker) | undefined;
    /** The limits of one client for staged files; {@link IMPORT_QUOTA} by default. */
    readonly quota?: ImportQuota | undefined;
  };
  readonly metrics?: MetricsOptions;
  readonly watches?: Watches;
  /** The limits and times of the streams of accounts; their defaults if left out. */
  readonly streams?: Pick<StreamMeans, 'limits' | 'times'> | undefined;
  /** Creates the counters of rate limits and failures; by default each process counts alone. */
  readonly newLimiter?: NewLimiter | undefined;
  /** Absent: this process does no housekeeping. */
  readonly housekeeping?: Retention | undefined;
};

/** The settings of events. */
type EventOptions = {
  /** Concurrent batches of each kind: applied at once, accepted, applied later. Each holds a database connection. */
  readonly triggerConcurrency: number;
  /** Failures after which an asynchronous trigger is dead; 5 by default. */
  readonly attemptsMax?: number | undefined;
  /** Cached definitions of all clients; 100,000 by default. */
  readonly definitionsMax?: number | undefined;
  /** The settings of the journal of events; false without a journal. */
  readonly journal?: Journaling | false | undefined;
};

/** The settings of webhooks. */
type WebhookOptions = {
  /** Whether addresses of private networks may be called. */
  readonly allowPrivate: boolean;
  /** Refuse to send secrets over plain http; false if left out. */
  readonly requireTls?: boolean | undefined;
  /** Messages with a secret that no configured key decrypts fail, instead of waiting for a process with the key; false if left out. */
  readonly acceptLostSecrets?: boolean | undefined;
};

/** The settings of sign-ins. */
type SignInOptions = {
  /** The provider for sign-ins, beside the password. */
  readonly oidc?: OidcSettings | undefined;
  /** Whether sign-ins are allowed over plain http from another machine. */
  readonly insecureCookies?: boolean | undefined;
  /** Unknown credentials per address and minute; unlimited if left out or 0. */
  readonly unknownCredentialsPerMinute?: number | undefined;
};

/** The settings of metrics. */
type MetricsOptions = {
  /** Serves the metrics of several processes as one; if left out, only those of this process. */
  readonly expose?: Expose | undefined;
  /** Whether they include the backlog in the database; true if left out. One of several processes is enough. */
  readonly watchBacklog?: boolean | undefined;
  /** Milliseconds between two writes of statistics; 5 s by default. */
  readonly statisticsEveryMs?: number | undefined;
};

/** Running watches of the environment; an absent one is not used. */
type Watches = {
  /** Whether the database still fits the service. */
  readonly database?: { reason(): string | undefined } | undefined;
  /** Whether `clock` is trusted for irreversible work. */
  readonly clock?: ClockWatch | undefined;
  /** The difference between this machine's clock and `clock`. */
  readonly clockSkew?: Pick<DatabaseClock, 'skewMs'> | undefined;
};

/** A serving process. */
export type App = {
  readonly port: number;
  /** For calls from inside the process, such as the demo's. */
  readonly operations: Operations;
  /**
   * Answers all accepted requests, finishes running webhooks, and resolves. `db` stays open, because the caller owns it. It takes nine
   * seconds at most, or four more than a drain delay above five. Then waiting units of work are cancelled and their callers get 503.
   */
  close(options?: CloseOptions): Promise<void>;
};

/** Connects the modules, by hand and in one place, and starts to serve. */
export async function startApp(options: AppOptions): Promise<App> {
  const { db, secrets, logger, clock, newLimiter } = options;
  const { events, webhooks, signIn = {}, imports = {}, watches = {} } = options;
  const { allowPrivate, requireTls = false } = webhooks;
  const { triggerConcurrency, attemptsMax = 5, definitionsMax, journal } = events;
  const { drainDelayMs = 0, metricsToken, trustForwarded } = options.server;
  const plan = closePlan(drainDelayMs);
  const sender = createWebhookSender({ secrets, allowPrivate, requireTls, clock });
  const metrics = createMetrics(options.metrics?.expose, metricsToken !== undefined);
  const catalogs = createCatalogs({ definitionsMax, metrics: catalogMetrics(metrics.registry) });
  if (watches.clockSkew) clockMetrics(metrics.registry, watches.clockSkew);
  if (watches.clock) doubtMetrics(metrics.registry, watches.clock);
  const causes = causesWith(catalogs, watches.clock);
  const dispatcher = createDispatcher({
    db,
    sender,
    logger,
    secretKeyIds: webhooks.acceptLostSecrets ? undefined : secrets.keyIds,
    observe: webhookMetrics(metrics.registry),
    observeRetry: retryMetrics(metrics.registry),
  });
  const feedEnds = createFeedEnds(db);
  const numbering = createNumberingWorker({ db, logger, onNumbered: feedEnds.numbered });
  const activityCounters = createActivityCounters({ db, clock, logger, everyMs: options.metrics?.statisticsEveryMs });
  const callCollector = createCallCollector({
    db,
    clock,
    logger,
    everyMs: options.metrics?.statisticsEveryMs,
    onRefused: (clientId) => activityCounters.count(clientId, { callsRefused: 1 }),
  });
  const largeClients = createLargeClients(catalogs, triggerConcurrency);
  const emitter = createEmitter({ db, catalogs, dispatcher, clock, triggerConcurrency, largeClients, journal });
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
  const importWorker = (imports.worker ?? createImportWorker)({ db, dispatcher, clock, logger, catalogs, journal });
  const { smtp, publicUrl } = options.alerts ?? {};
  const alertChannels = { sender, clock, publicUrl, mailer: smtp && createMailer(smtp) };
  const alerts = createAlerts({ ...alertChannels, db, readers: causes, logger });
  const jobs = options.housekeeping
    ? scheduledJobs(options.housekeeping, { dispatcher, parts: partsOfAccount, secrets, alerts, catalogs })
    : [];
  const housekeeping = createHousekeeping({
    db,
    jobs,
    clock,
    trustedNow: watches.clock?.trustedNow,
    logger,
    observe: jobMetrics(metrics.registry, jobs, clock),
  });
  feedChanges(db);
  db.onCommitted((uow) => {
    if (collectedIn(uow) !== undefined) numbering.wake(uow.clientId);
  });
  watchLoad(metrics, { db, emitter, inbox });
  if (options.metrics?.watchBacklog !== false) backlogMetrics(metrics.registry, db, backlogs);
  db.onCommitted((uow) => {
    const { eventsApplied } = activityIn(uow) ?? {};
    if (eventsApplied) metrics.countEvents(uow.clientId, eventsApplied);
  });
  const { unknownCredentialsPerMinute: misses = 0, insecureCookies } = signIn;
  const throttle = misses === 0 ? undefined : credentialThrottle(misses, newLimiter);
  const accountTokens = createTokenWatch({ db, secrets, clock, revocations: revokedAccounts });
  const tokens = createTokenChecker({ watch: accountTokens, clock, findIssuer: issuerFinder(db), throttle });
  const authenticator = createAuthenticator(db, clock, logger, { throttle, tokens });

  const oidc = signIn.oidc && oidcSignIn(signIn.oidc, { db, clock, secrets, newLimiter });

  const accountStreams = createAccountStreams({
    ...options.streams,
    db,
    ends: feedEnds,
    readmission: createReadmission({ authenticator, tokens }),
    accountToWatch: async (uow, ref) => (await requireAccount(uow, ref)).id,
    readProgress: journal ? readProgress : undefined,
  });
  metrics.watch('laurel_account_streams', 'Streams of accounts that are open now.', accountStreams.count);

  const operations = createOperations({ logger });
  addServices(operations, {
    db,
    clock,
    catalogs,
    dispatcher,
    emitter,
    inbox,
    largeClients,
    journal,
    importWorker,
    secrets,
    accountTokens,
    feedEnds,
    accountStreams,
    activityCounters,
    callCollector,
    sender,
    allowPrivate,
    requireTls,
    logger,
    triggerConcurrency,
    alertChannels,
    causes,
    importQuota: imports.quota ?? IMPORT_QUOTA,
    sessions: { secrets, oidc: oidc && { ...oidc, startPath: OIDC_START }, insecureCookies, newLimiter },
  });

  const rest = createGateway<Exchange>({ routes, invoke: operations.invoke, errorOf: restErrors(logger) });
  const server = await startServer({
    ...options.server,
    operations,
    accountTokens,
    rest,
    streams: createStreamedRoutes(operations.services, operations.stream),
    authenticator,
    observeCall: callCollector.observe,
    morePages: oidc && createOidcPages(oidc, { logger, trustForwarded, insecureCookies }),
    db,
    unreadyReasons: watches.database && [watches.database.reason],
    logger,
    metrics,
    newLimiter,
    drainTimeoutMs: plan.cutMs - drainDelayMs,
    release: readRelease(),
    openapiPath: fileURLToPath(new URL('../../gen/openapi.yaml', import.meta.url)),
  });
  numbering.start();
  dispatcher.start();
  inbox.start();
  importWorker.start();
  housekeeping.start();
  activityCounters.start();
  callCollector.start();
  void warnOfPlainSecrets(db, logger, { requireTls });

  return {
    port: server.port,
    operations,
    async close(how) {
      const begun = performance.now();
      const leftUntil = (ms: number) => Math.max(0, ms - (performance.now() - begun));
      const abortAt = (ms: number) =>
        setTimeout(() => {
          logger.warn('the service ends: transactions that wait for the database are aborted');
          void db.abortTransactions();
        }, leftUntil(ms));
      let abortTimer = abortAt(plan.abortMs);
      // These tasks serve no caller, so they need not wait for the server.
      const background = Promise.all([housekeeping.stop(), importWorker.stop(plan.abortMs)]);
      // Its followers continue with another process.
      feedEnds.close();
      accountStreams.close();
      await server.close(how);
      await emitter.idle();
      await inbox.stop();
      const numbered = numbering.stop();
      await background;
      await numbered;
      clearTimeout(abortTimer);
      // An attempt at a webhook may take long, and its outcome must be recorded.
      abortTimer = abortAt(plan.endMs);
      await dispatcher.stop(leftUntil(plan.endMs));
      await Promise.race([alerts.idle(), sleep(leftUntil(plan.endMs), undefined, { ref: false })]);
      await Promise.all([activityCounters.stop(), callCollector.stop()]);
      await authenticator.close();
      clearTimeout(abortTimer);
      await metrics.close();
    },
  };
}

/** Measures the load of this process by the work that waits in its memory. */
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
