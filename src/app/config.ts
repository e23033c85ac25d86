import { join } from 'node:path';
import type { ImportQuota } from '../imports/import-quota.ts';
import type { OidcSettings } from '../clients/sign-in/oidc.ts';
import { OIDC_CALLBACK } from '../clients/sign-in/oidc-callback.ts';
import { type SmtpSettings, smtpSettings } from '../alerts/delivery/smtp-settings.ts';
import type { Journaling } from '../journal/journal.queries.ts';
import { corsOriginsOf } from './cors-origins.ts';
import type { TlsFiles } from '../server/http/tls-files.ts';
import { DEFAULT_SETTINGS } from '../kernel/default-settings.ts';
import { unknownSettings } from './unknown-settings.ts';

/** All settings of an operator, read once from the environment. docs/operations.md documents the names. */
export type Config = {
  readonly host: string;
  readonly port: number;
  /** The certificate and key of the port; absent: plaintext. */
  readonly tls: TlsFiles | undefined;
  /** Absent: the service runs an embedded PostgreSQL in `dataFolder`. */
  readonly databaseUrl: string | undefined;
  /** The folder of the embedded PostgreSQL, the secret key and the demo's credentials. */
  readonly dataFolder: string;
  /** Provision the demo client on an empty database. */
  readonly demo: boolean;
  /**
   * Give the demo's API key to `/docs` when it is opened on this machine. Only with an embedded database, and not under
   * NODE_ENV=production.
   */
  readonly offerDemoKey: boolean;
  /** Run pending migrations at the start, instead of refusing to start. */
  readonly migrate: boolean;
  /** Processes that serve the port together. */
  readonly processes: number;
  readonly poolMax: number;
  /** False behind a pooler that cannot keep prepared statements. */
  readonly preparedStatements: boolean;
  /** Concurrent trigger batches. */
  readonly triggerConcurrency: number;
  /** Failures after which an asynchronous trigger is dead. */
  readonly asyncAttempts: number;
  /** Cached definitions of all clients in one process. */
  readonly catalogDefinitions: number;
  /** Let webhooks call loopback and private addresses: for tests, and for receivers in a private network. */
  readonly webhookAllowPrivate: boolean;
  /** Refuse webhook configurations with a secret over plain http, and do not send those stored before. */
  readonly webhookRequireTls: boolean;
  /** Base64 of 32 bytes each, separated by commas; the first key encrypts. Absent: the service creates a key in `dataFolder`. */
  readonly secretKeys: string | undefined;
  /** Serve although a key of stored secrets is lost; webhooks with these secrets are not sent. */
  readonly acceptLostSecrets: boolean;
  /** The OpenID Connect provider for sign-ins; absent: sign-ins by password only. */
  readonly oidc: OidcSettings | undefined;
  /** The mail server and the sender of e-mails; absent: the service sends none. */
  readonly smtp: SmtpSettings | undefined;
  /** The address of the console, without a path; absent: messages have no links. */
  readonly publicUrl: URL | undefined;
  readonly corsOrigins: readonly string[];
  /** Requests of one credential to the processes of this host; absent: no limit. */
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | undefined;
  /** The limit of the account tokens of one account. */
  readonly accountRateLimit: { readonly perSecond: number; readonly burst: number } | undefined;
  /** MiB of request bodies that one process holds at once. */
  readonly bodyBudget: number;
  /** Unknown credentials per address and minute; 0: no limit. */
  readonly unknownCredentialsPerMinute: number;
  /** New connections per second from an address without an accepted credential; 0: no limit. */
  readonly anonymousConnectionsPerSecond: number;
  readonly publicStreams: number;
  /** Whether a proxy in front writes `X-Forwarded-For`, so that it has the caller's address. */
  readonly trustForwarded: boolean;
  /** Whether sign-ins are allowed over plain http from another machine. Anyone on the network path can read their cookies. */
  readonly insecureCookies: boolean;
  /** The limits of one client for staged files. */
  readonly importQuota: ImportQuota;
  /** The token of `/metrics`; absent: `/metrics` is open. */
  readonly metricsToken: string | undefined;
  /** Milliseconds of further serving after SIGTERM, while `/readyz` answers 503. */
  readonly drainDelayMs: number;
  readonly logLevel: string;
  /** The logged share of fast, successful calls, from 0 to 1. */
  readonly logSuccessShare: number;
  /** Include the backlog of the database in the metrics. */
  readonly watchBacklog: boolean;
  /** Run housekeeping in this process. */
  readonly housekeeping: boolean;
  readonly operationRetentionDays: number;
  /** The days for which the log of webhooks is kept. */
  readonly deliveryRetentionDays: number;
  /** The days for which the audit log is kept. */
  readonly auditRetentionDays: number;
  /** The days for which the journal of events is kept; 0: no journal. */
  readonly journalRetentionDays: number;
  /** Variables that look like settings and are unknown; they cause a warning. */
  readonly unknownSettings: readonly string[];
};

/** Switches of the command line; they override the environment. */
export type Switches = { readonly demo?: boolean; readonly migrate?: boolean; readonly processes?: string };

/**
 * Reads the configuration.
 * @throws Error with a text for an operator if a value is invalid, a name is similar to that of a setting, or `NODE_ENV=production` has no
 * database
 */
export function readConfig(source: NodeJS.ProcessEnv, switches: Switches = {}): Config {
  const names = new Set<string>();
  // Every variable that is read is a setting, so there is no second list to update.
  const env = new Proxy(source, {
    get(target, name) {
      names.add(String(name));
      return target[String(name)];
    },
  });
  const isProduction = env['NODE_ENV'] === 'production';
  const mayEmbed = flag(env, 'LAUREL_EMBEDDED_POSTGRES', !isProduction);
  const settings = settingsOf(env, switches, isProduction);
  const unknown = unknownSettings(source, names);
  if (settings.databaseUrl === undefined && !mayEmbed) {
    const why = isProduction ? 'With NODE_ENV=production' : 'With LAUREL_EMBEDDED_POSTGRES=false';
    throw new Error(
      `${why} the service starts no PostgreSQL of its own. Set DATABASE_URL, or LAUREL_EMBEDDED_POSTGRES=true if its own one is what you want.`,
    );
  }
  return { ...settings, unknownSettings: unknown };
}

function settingsOf(
  env: NodeJS.ProcessEnv,
  switches: Switches,
  isProduction: boolean,
): Omit<Config, 'unknownSettings'> {
  const databaseUrl = env['DATABASE_URL'] || undefined;
  const embedded = databaseUrl === undefined;
  const demo = switches.demo ?? flag(env, 'LAUREL_DEMO', embedded && !isProduction);
  return {
    host: env['HOST'] || '0.0.0.0',
    port: wholeNumber(env, 'PORT', 8080, { min: 0, max: 65_535 }),
    tls: tlsFilesOf(env),
    databaseUrl,
    dataFolder: env['LAUREL_DATA'] || join(process.cwd(), '.laurel'),
    demo,
    offerDemoKey: demo && embedded && !isProduction,
    migrate: switches.migrate ?? flag(env, 'LAUREL_MIGRATE', embedded),
    processes: wholeNumber({ LAUREL_PROCESSES: switches.processes ?? env['LAUREL_PROCESSES'] }, 'LAUREL_PROCESSES', 1, {
      min: 1,
      max: 64,
    }),
    poolMax: wholeNumber(env, 'LAUREL_POOL_MAX', 16, { min: 4, max: 500 }),
    preparedStatements: flag(env, 'LAUREL_PREPARED_STATEMENTS', true),
    triggerConcurrency: wholeNumber(withFormerNames(env), 'LAUREL_TRIGGER_CONCURRENCY', 2, { min: 1, max: 64 }),
    asyncAttempts: wholeNumber(env, 'LAUREL_ASYNC_ATTEMPTS', 5, { min: 1, max: 20 }),
    catalogDefinitions: wholeNumber(env, 'LAUREL_CATALOG_CACHE', DEFAULT_SETTINGS.catalogDefinitions, {
      min: 1_000,
      max: 10_000_000,
    }),
    webhookAllowPrivate: flag(env, 'LAUREL_WEBHOOK_ALLOW_PRIVATE', false),
    webhookRequireTls: flag(env, 'LAUREL_WEBHOOK_REQUIRE_TLS', false),
    secretKeys: env['LAUREL_SECRET_KEYS'] || undefined,
    acceptLostSecrets: flag(env, 'LAUREL_ACCEPT_LOST_SECRETS', false),
    oidc: oidcSettings(env),
    smtp: smtpSettings(env['LAUREL_SMTP_URL'], env['LAUREL_SMTP_FROM']),
    publicUrl: publicUrlOf(env['LAUREL_PUBLIC_URL']),
    corsOrigins: corsOriginsOf(env['LAUREL_CORS_ORIGINS']),
    rateLimit: rateLimitOf(env),
    accountRateLimit: accountRateLimitOf(env),
    bodyBudget: wholeNumber(env, 'LAUREL_BODY_BUDGET', 64, { min: 8, max: 65_536 }),
    unknownCredentialsPerMinute: wholeNumber(env, 'LAUREL_UNKNOWN_CREDENTIALS', 600, { min: 0, max: 1_000_000 }),
    anonymousConnectionsPerSecond: wholeNumber(
      env,
      'LAUREL_ANONYMOUS_CONNECTIONS_PER_SECOND',
      DEFAULT_SETTINGS.anonymousConnectionsPerSecond,
      {
        min: 0,
        max: 100_000,
      },
    ),
    publicStreams: wholeNumber(env, 'LAUREL_PUBLIC_STREAMS', DEFAULT_SETTINGS.publicStreams, { min: 1, max: 10_000 }),
    trustForwarded: flag(env, 'LAUREL_TRUST_FORWARDED', false),
    insecureCookies: flag(env, 'LAUREL_INSECURE_COOKIES', false),
    importQuota: {
      openMax: wholeNumber(env, 'LAUREL_IMPORTS_OPEN_MAX', DEFAULT_SETTINGS.importsOpen, { min: 1, max: 10_000 }),
      bytesMax:
        wholeNumber(env, 'LAUREL_IMPORTS_STAGED_MAX', DEFAULT_SETTINGS.importBytes / 2 ** 20, {
          min: 1,
          max: 2 ** 20,
        }) *
        2 ** 20,
    },
    metricsToken: env['LAUREL_METRICS_TOKEN'] || undefined,
    // With an embedded database there is no load balancer.
    drainDelayMs: wholeNumber(env, 'LAUREL_DRAIN_DELAY_MS', embedded ? 0 : 2_000, { min: 0, max: 600_000 }),
    logLevel: env['LAUREL_LOG_LEVEL'] || 'info',
    logSuccessShare: share(env, 'LAUREL_LOG_SUCCESS_SHARE', 1),
    watchBacklog: flag(env, 'LAUREL_BACKLOG_METRICS', true),
    housekeeping: flag(env, 'LAUREL_HOUSEKEEPING', true),
    operationRetentionDays: wholeNumber(env, 'LAUREL_OPERATION_RETENTION_DAYS', 30, { min: 1, max: 3650 }),
    deliveryRetentionDays: wholeNumber(env, 'LAUREL_DELIVERY_RETENTION_DAYS', 30, { min: 1, max: 3650 }),
    auditRetentionDays: wholeNumber(env, 'LAUREL_AUDIT_RETENTION_DAYS', 400, { min: 1, max: 3650 }),
    journalRetentionDays: wholeNumber(env, 'LAUREL_JOURNAL_RETENTION_DAYS', 7, { min: 0, max: 365 }),
  };
}

/**
 * The settings of the journal; false without a journal. Operations must be kept longer than the journal, which is deleted in whole days.
 */
export function journalingOf({
  journalRetentionDays,
  operationRetentionDays,
}: Pick<Config, 'journalRetentionDays' | 'operationRetentionDays'>): Journaling | false {
  if (journalRetentionDays === 0) return false;
  return operationRetentionDays > journalRetentionDays ? 'byOperation' : 'byHash';
}

/** Settings by their names in release 0.1; these names still work in 0.2. */
const FORMER_NAMES = { LAUREL_TRIGGER_CONCURRENCY: 'LAUREL_LANES' } as const;

function withFormerNames(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(FORMER_NAMES).map(([name, was]) => [name, env[name] || env[was]]));
}

function tlsFilesOf(env: NodeJS.ProcessEnv): TlsFiles | undefined {
  const [certFile, keyFile] = [env['LAUREL_TLS_CERT_FILE'], env['LAUREL_TLS_KEY_FILE']];
  if (certFile && keyFile) return { certFile, keyFile };
  if (!certFile && !keyFile) return undefined;
  throw new Error(`TLS needs ${certFile ? 'LAUREL_TLS_KEY_FILE' : 'LAUREL_TLS_CERT_FILE'} as well.`);
}

/** A burst of one second's share accepts the many calls of one page; 0 per second means no limit. */
function rateLimitOf(env: NodeJS.ProcessEnv): Config['rateLimit'] {
  const range = { min: 0, max: 1_000_000 };
  const perSecond = wholeNumber(env, 'LAUREL_RATE_LIMIT', 0, range);
  const burst = wholeNumber(env, 'LAUREL_RATE_LIMIT_BURST', perSecond, range);
  return perSecond === 0 ? undefined : { perSecond, burst };
}

/** On by default, because apps are in the hands of strangers. The burst accepts the calls of an app that opens. */
function accountRateLimitOf(env: NodeJS.ProcessEnv): Config['accountRateLimit'] {
  const perSecond = wholeNumber(env, 'LAUREL_ACCOUNT_RATE_LIMIT', 10, { min: 0, max: 1_000_000 });
  return perSecond === 0 ? undefined : { perSecond, burst: 4 * perSecond };
}

function oidcSettings(env: NodeJS.ProcessEnv): OidcSettings | undefined {
  const names = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'REDIRECT_URI'].map((name) => `LAUREL_OIDC_${name}`);
  const [issuer = '', clientId = '', clientSecret = '', redirectUri = ''] = names.map((name) => env[name] ?? '');
  if (names.every((name) => !env[name])) return undefined;
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0) throw new Error(`Signing in by OpenID Connect needs ${missing.join(' and ')} as well.`);
  const back = secureAddress('LAUREL_OIDC_REDIRECT_URI', redirectUri);
  if (back.pathname !== OIDC_CALLBACK) {
    throw new Error(`LAUREL_OIDC_REDIRECT_URI must have the path ${OIDC_CALLBACK}, not '${back.pathname}'.`);
  }
  return { issuer: secureAddress('LAUREL_OIDC_ISSUER', issuer), clientId, clientSecret, redirectUri: back };
}

/** The origin only, because the console has its own path. */
function publicUrlOf(text: string | undefined): URL | undefined {
  if (!text) return undefined;
  const url = secureAddress('LAUREL_PUBLIC_URL', text);
  if (url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '') return url;
  throw new Error('LAUREL_PUBLIC_URL must be scheme and host alone, for example https://laurel.example.com.');
}

/** An absolute https address; http is accepted on this machine only. */
function secureAddress(name: string, text: string): URL {
  const url = URL.parse(text);
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url && (url.protocol === 'https:' || isLocal)) return url;
  throw new Error(`${name} must be an https address, not '${text}'.`);
}

function wholeNumber(
  env: NodeJS.ProcessEnv,
  name: string,
  fallback: number,
  range: { min: number; max: number },
): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value >= range.min && value <= range.max) return value;
  throw new Error(`${name} must be a whole number from ${range.min} to ${range.max}, not '${text}'.`);
}

function share(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (value >= 0 && value <= 1) return value;
  throw new Error(`${name} must be a number from 0 to 1, not '${text}'.`);
}

function flag(env: NodeJS.ProcessEnv, name: string, fallback: boolean): boolean {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  if (text === 'true') return true;
  if (text === 'false') return false;
  throw new Error(`${name} must be true or false, not '${text}'.`);
}
