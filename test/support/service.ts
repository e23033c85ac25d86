import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { Journaling } from '../../src/journal/journal.queries.ts';
import { type App, startApp } from '../../src/app/app.ts';
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
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { newClient, type TestDatabase, testDatabase } from './database.ts';
import { assertDeclared, tellUndeclared, undeclared } from './declared-errors.ts';
import { assertNoToken } from './log-guard.ts';

/** An answer over REST. `body` is parsed JSON, or undefined where there was none. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
export type RestAnswer = { readonly status: number; readonly headers: Headers; readonly body: any };

/** A tenant with its credentials. */
export type Tenant = {
  readonly clientId: string;
  /** Role INTEGRATOR. */
  readonly apiKey: string;
  /** Role CLIENT_ADMIN. */
  readonly adminToken: string;
};

/** A whole service on a database of its own, reached as its users reach it. */
export type TestService = Tenant & {
  readonly db: Database;
  readonly databaseUrl: string;
  readonly app: App;
  readonly baseUrl: string;
  /** Role SERVICE_ADMIN. */
  readonly serviceToken: string;
  /** Everything that was logged, one JSON line each. */
  readonly log: string[];
  readonly rest: Rest;
  /** Another tenant on the same service. */
  newTenant(timeZone?: string): Promise<Tenant>;
  close(): Promise<void>;
};

/** One request. The token is the tenant's API key, below `/admin` and `/webhooks` its administrator's. */
export type Rest = (method: string, path: string, body?: unknown, token?: string) => Promise<RestAnswer>;

/** How a service is started; everything has a value. */
export type TestServiceOptions = {
  /** A fresh one by default; the service drops it when it is closed. */
  readonly database?: TestDatabase;
  /** Of the secrets that it holds; one made for it by default. */
  readonly secretKeys?: readonly Buffer[];
  readonly clock?: Clock;
  /** What it watches the clock by; the test stops it. By default the clock is trusted. */
  readonly clockWatch?: ClockWatch;
  /** How long is kept what housekeeping forgets; by default nobody keeps house. */
  readonly housekeeping?: Retention;
  readonly triggerConcurrency?: number;
  readonly asyncAttempts?: number;
  /** How it keeps the journal of events. By hash where `clock` is not that of the database, which tells when entries were recorded. */
  readonly journal?: Journaling | false;
  /** Callers tell their addresses in `X-Forwarded-For`. */
  readonly trustForwarded?: boolean;
  /** People may sign in over plain http from another machine. */
  readonly insecureCookies?: boolean;
  readonly oidc?: OidcSettings;
  readonly webhookRequireTls?: boolean;
  /** The mail server that sends e-mails; none by default. */
  readonly smtp?: SmtpSettings;
  /** Where people reach the console. */
  readonly publicUrl?: URL;
  /** What one client may have staged of files to load. */
  readonly importQuota?: ImportQuota;
  /** The API key of the service's own demo, for the word of a link. */
  readonly demoKey?: (word: string) => string | undefined;
  /** Makes what loads CSV files, told the address of the database; by default they are loaded in this thread. */
  readonly importWorker?: (databaseUrl: string, machinery: ImportMachinery) => ImportWorker;
  /**
   * Gives another way to the database at an address, such as a proxy; only the service takes it, without prepared
   * statements, so that each statement can be read on the way.
   */
  readonly through?: (databaseUrl: string) => Promise<string>;
  /** Whether its unforeseen failures are shown; they are by default. */
  readonly logsFailures?: () => boolean;
};

/** Starts one; call in `beforeAll` and close in `afterAll`. */
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
    },
    events: {
      triggerConcurrency: options.triggerConcurrency ?? 2,
      attemptsMax: options.asyncAttempts,
      journal: options.journal,
    },
    webhooks: { allowPrivate: true, requireTls: options.webhookRequireTls ?? false },
    signIn: { oidc: options.oidc, insecureCookies: options.insecureCookies },
    alerts: { smtp: options.smtp, publicUrl: options.publicUrl },
    imports: {
      worker: options.importWorker && ((machinery) => options.importWorker!(url, machinery)),
      quota: options.importQuota,
    },
    // Read by the overview, which writes before it reads; else the service would write by itself while tests compare rows.
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

/** Whether a file uses it. After the last one the run ends, and takes its database away. */
let isInUse = false;

/**
 * A tenant and its administrator on the one service that a worker's files share; call in `beforeAll` and close in `afterAll`. It
 * starts in a tenth of the time of a service. A file that looks at all rows, at metrics or at other clients has its own.
 */
export async function sharedService(): Promise<TestService> {
  const service = await (ofThisWorker ??= startService({ trustForwarded: true, logsFailures: () => isInUse }));
  isInUse = true;
  // Files of a worker run one after the other: what the file before has logged was looked at when it closed.
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

/** How a tenant calls the service at `baseUrl`. */
export function restAs(baseUrl: string, tenant: Tenant): Rest {
  return async (method, path, body, token = /^\/(admin|webhooks)\b/.test(path) ? tenant.adminToken : tenant.apiKey) => {
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
    if (path === BATCH_PATH) assertItemsDeclared(answer.body);
    return answer;
  };
}

const BATCH_PATH = '/gamification/triggers/batch';

/** The errors of single events stand in an answer that is none, so that the log does not tell them. */
function assertItemsDeclared(body: {
  readonly results?: readonly { readonly error?: { readonly code: string } }[];
}): void {
  for (const { error } of body?.results ?? []) {
    const fault = error && undeclared('laurel.v1.TriggerService/EmitTriggerBatch', error.code);
    if (fault !== undefined) throw new Error(fault);
  }
}

/** A client with its first credentials, on any database. */
export async function newTenant(db: Database, timeZone = 'UTC'): Promise<Tenant> {
  return tenantOf(db, await newClient(db, timeZone));
}

/** A client that is there, with new credentials. */
export async function tenantOf(db: Database, clientId: string): Promise<Tenant> {
  return {
    clientId,
    apiKey: await newCredential(db, clientId, 'API_KEY', 'INTEGRATOR'),
    adminToken: await newCredential(db, clientId, 'ACCESS_TOKEN', 'CLIENT_ADMIN'),
  };
}

/** Straight into the table, because the operation that does it needs a credential to begin with. */
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
      for (const line of written) tellUndeclared(line);
      // A failure that nobody foresaw is what anyone who reads a red test needs to see.
      if (text.includes('"level":50') && logsFailures()) process.stderr.write(text);
      done();
    },
  });
}
