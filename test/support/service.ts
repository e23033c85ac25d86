import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Journaling } from '../../src/journal/journal.queries.ts';
import { type App, type AppOptions, startApp } from '../../src/app/app.ts';
import type { SmtpSettings } from '../../src/alerts/delivery/smtp-settings.ts';
import type { OidcSettings } from '../../src/clients/sign-in/oidc.ts';
import { hashToken, newToken, type TokenKind } from '../../src/clients/credentials/token.ts';
import { entities } from '../../src/app/entities.ts';
import type { ClockWatch } from '../../src/housekeeping/clock/clock-watch.ts';
import type { Retention } from '../../src/housekeeping/scheduled-jobs.ts';
import type { ImportQuota } from '../../src/imports/import-quota.ts';
import type { ImportMachinery, ImportWorker } from '../../src/imports/worker/import-worker.ts';
import { type Clock, systemClock } from '../../src/kernel/time/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { createSecretBox } from '../../src/kernel/secrets/secret-box.ts';
import type { RateLimitOptions } from '../../src/server/http/limits/rate-limit.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { newClient, type TestDatabase, testDatabase } from './database.ts';
import { assertDeclared, printUndeclared, undeclared } from './declared-errors.ts';
import { assertNoToken } from './log-guard.ts';

/** An answer over REST. `body` is parsed JSON, or undefined without a body. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
export type RestAnswer = { readonly status: number; readonly headers: Headers; readonly body: any };

/** A tenant with its credentials. */
export type Tenant = {
  readonly clientId: string;
  /** A key with the role INTEGRATOR. */
  readonly apiKey: string;
  /** A token with the role CLIENT_ADMIN. */
  readonly adminToken: string;
};

/** A whole service on a separate database, used through its public interfaces. */
export type TestService = Tenant & {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly app: App;
  readonly baseUrl: string;
  /** A token with the role SERVICE_ADMIN. */
  readonly serviceToken: string;
  /** All lines of the log, each in JSON. */
  readonly log: string[];
  readonly rest: Rest;
  /** Another tenant on the same service. */
  newTenant(timeZone?: string): Promise<Tenant>;
  close(): Promise<void>;
};

/** One request. The token is the tenant's API key, or below `/admin` and `/webhooks` its administrator's token. */
export type Rest = (method: string, path: string, body?: unknown, token?: string) => Promise<RestAnswer>;

/** The options of a service; all have defaults. */
export type TestServiceOptions = {
  /** The database; by default a new one, which the service drops when it closes. */
  readonly database?: TestDatabase;
  /** The keys of its secrets; by default a new one. */
  readonly secretKeys?: readonly Buffer[];
  readonly clock?: Clock;
  /** The watch of the clock; the test stops it. By default the clock is trusted. */
  readonly clockWatch?: ClockWatch;
  /** The retention of housekeeping; by default no housekeeping runs. */
  readonly housekeeping?: Retention;
  readonly triggerConcurrency?: number;
  readonly asyncAttempts?: number;
  /** The journal of events. By hash if `clock` is not the database's, which sets the times of entries. */
  readonly journal?: Journaling | false;
  /** The limit of the account tokens of one account; by default none. */
  readonly accountRateLimit?: RateLimitOptions;
  /** Limits and times of the streams of accounts. */
  readonly streams?: AppOptions['streams'];
  /** Whether `X-Forwarded-For` has the callers' addresses. */
  readonly trustForwarded?: boolean;
  /** Whether people may sign in over plain http from another machine. */
  readonly insecureCookies?: boolean;
  readonly oidc?: OidcSettings;
  readonly webhookRequireTls?: boolean;
  /** The mail server that sends e-mails; none by default. */
  readonly smtp?: SmtpSettings;
  /** The public address of the console. */
  readonly publicUrl?: URL;
  /** The limit of one client's uploaded files. */
  readonly importQuota?: ImportQuota;
  /** The API key of the service's own demo, by the word in its link. */
  readonly demoKey?: (word: string) => string | undefined;
  /** Creates the worker that loads CSV files, with the address of the database; by default they are loaded in this thread. */
  readonly importWorker?: (databaseUrl: string, machinery: ImportMachinery) => ImportWorker;
  /**
   * Returns another address of the database, such as a proxy's. Only the service uses it, without prepared statements, so that a proxy can
   * read each statement.
   */
  readonly through?: (databaseUrl: string) => Promise<string>;
  /** Whether unexpected failures are printed; true by default. */
  readonly logsFailures?: () => boolean;
};

/** Starts a service; call it in `beforeAll` and close it in `afterAll`. */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const { db, url, drop } = options.database ?? (await testDatabase());
  const way = await options.through?.(url);
  const own =
    way === undefined ? db : await openDatabase({ url: way, entities, poolMax: 10, preparedStatements: false });
  const log: string[] = [];
  const app = await startApp({
    db: own,
    secrets: createSecretBox(options.secretKeys ?? [randomBytes(32)]),
    logger: pino({ level: 'debug' }, collecting(log, options.logsFailures)),
    clock: options.clock ?? systemClock,
    server: {
      host: '127.0.0.1',
      port: 0,
      trustForwarded: options.trustForwarded,
      demoKey: options.demoKey,
      accountRateLimit: options.accountRateLimit,
    },
    events: {
      triggerConcurrency: options.triggerConcurrency ?? 2,
      attemptsMax: options.asyncAttempts,
      journal: options.journal,
    },
    webhooks: { allowPrivate: true, requireTls: options.webhookRequireTls ?? false },
    streams: options.streams,
    signIn: { oidc: options.oidc, insecureCookies: options.insecureCookies },
    alerts: { smtp: options.smtp, publicUrl: options.publicUrl },
    imports: {
      worker: options.importWorker && ((machinery) => options.importWorker!(url, machinery)),
      quota: options.importQuota,
    },
    // The overview writes statistics before it reads them. A shorter interval would write while tests compare rows.
    metrics: { statisticsEveryMs: 3_600_000 },
    watches: { clock: options.clockWatch },
    housekeeping: options.housekeeping,
  });
  const baseUrl = `http://127.0.0.1:${app.port}`;
  const tenant = await newTenant(db);
  const serviceToken = await newCredential(db, tenant.clientId, 'ACCESS_TOKEN', 'SERVICE_ADMIN');
  return {
    ...tenant,
    db,
    databaseUrl: url,
    app,
    baseUrl,
    serviceToken,
    log,
    newTenant: (timeZone) => newTenant(db, timeZone),
    rest: restAs(baseUrl, tenant),
    async close() {
      await app.close();
      if (own !== db) await own.close();
      await drop();
      assertNoToken(log);
      assertDeclared(log);
    },
  };
}

let ofThisWorker: Promise<TestService> | undefined;

/** Whether a test file uses it. The run ends after the last file, and drops its database. */
let isInUse = false;

/**
 * A tenant and its administrator on the one service that a worker's files share; call it in `beforeAll` and close it in `afterAll`. It
 * starts in a tenth of the time of a service. A file that verifies or reads all rows, metrics or other clients needs a
 * separate service.
 */
export async function sharedService(): Promise<TestService> {
  const service = await (ofThisWorker ??= startService({ trustForwarded: true, logsFailures: () => isInUse }));
  isInUse = true;
  // Files of a worker run one after the other: the log of the file before was checked when it closed.
  service.log.length = 0;
  const tenant = await newTenant(service.db);
  return {
    ...service,
    ...tenant,
    serviceToken: await newCredential(service.db, tenant.clientId, 'ACCESS_TOKEN', 'SERVICE_ADMIN'),
    rest: restAs(service.baseUrl, tenant),
    async close() {
      isInUse = false;
      assertNoToken(service.log);
      assertDeclared(service.log);
    },
  };
}

/** The REST calls of a tenant at `baseUrl`. */
export function restAs(baseUrl: string, tenant: Tenant): Rest {
  return async (
    method,
    path,
    body,
    token = /^\/(admin|webhooks|v1\/change-feed)\b|\/backfill$/.test(path) ? tenant.adminToken : tenant.apiKey,
  ) => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    const rpc = ITEM_RPCS[path];
    if (rpc !== undefined) assertItemsDeclared(rpc, answer.body);
    return answer;
  };
}

/** The operations whose answers have errors of items, by their paths. */
const ITEM_RPCS: Readonly<Record<string, string>> = {
  '/gamification/triggers/batch': 'laurel.v1.TriggerService/EmitTriggerBatch',
  '/gamification/triggers/backfill': 'laurel.v1.TriggerService/BackfillTriggers',
};

/** Checks the errors of single items: they are in a successful answer, so that the log does not show them. */
function assertItemsDeclared(
  rpc: string,
  body: { readonly results?: readonly { readonly error?: { readonly code: string } }[] },
): void {
  for (const { error } of body?.results ?? []) {
    const fault = error && undeclared(rpc, error.code);
    if (fault !== undefined) throw new Error(fault);
  }
}

/** Creates a client with its first credentials, on any database. */
export async function newTenant(db: Database, timeZone = 'UTC'): Promise<Tenant> {
  return tenantOf(db, await newClient(db, timeZone));
}

/** An existing client, with new credentials. */
export async function tenantOf(db: Database, clientId: string): Promise<Tenant> {
  return {
    clientId,
    apiKey: await newCredential(db, clientId, 'API_KEY', 'INTEGRATOR'),
    adminToken: await newCredential(db, clientId, 'ACCESS_TOKEN', 'CLIENT_ADMIN'),
  };
}

/** Creates a credential directly in the table, because the operation needs a first credential. */
async function newCredential(db: Database, clientId: string, kind: TokenKind, role: string): Promise<string> {
  const token = newToken(kind, clientId);
  await db.unitOfWork(clientId, (uow) =>
    uow.query(
      `insert into credential (client_id, id, kind, role, name, hash, last_four, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, now())`,
      [clientId, newId(), kind, role, `test ${role}`, hashToken(token), token.slice(-4)],
    ),
  );
  return token;
}

function collecting(lines: string[], logsFailures = () => true): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      const text = chunk.toString();
      const written = text.split('\n').filter(Boolean);
      lines.push(...written);
      for (const line of written) printUndeclared(line);
      // A reader of a failed test needs to see unexpected failures.
      if (text.includes('"level":50') && logsFailures()) process.stderr.write(text);
      done();
    },
  });
}
