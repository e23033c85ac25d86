import { create } from '@bufbuild/protobuf';
import type { Logger } from 'pino';
import {
  type WebhookConfiguration_Warning,
  WebhookConfiguration_WarningSchema,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import type { Database } from '../../persistence/database.ts';
import { configurationsWithSecret, type StoredConfiguration } from './webhook-configuration.queries.ts';

/** The maximum of configurations in one log line. */
const NAMED_MAX = 20;

/** The fields that show whether a secret is sent over plain http. */
type Plain = Pick<StoredConfiguration, 'endpoint' | 'authenticationMethodType'>;

/** Whether the authentication value of a configuration is sent unencrypted. */
export function sendsPlainSecret({ endpoint, authenticationMethodType }: Plain): boolean {
  return authenticationMethodType !== null && new URL(endpoint).protocol === 'http:';
}

/** The warnings about a configuration. */
export function warningsOf(target: Plain): WebhookConfiguration_Warning[] {
  if (!sendsPlainSecret(target)) return [];
  const message =
    'The authentication value goes over plain http, so that everybody on the way can read it. Send an https endpoint and another secret.';
  return [create(WebhookConfiguration_WarningSchema, { code: 'SECRET_OVER_HTTP', message })];
}

/** The fields of a configuration for a log line, without path and query, which may hold a secret. */
export function namedInLog({ clientId, type, endpoint }: Pick<StoredConfiguration, 'clientId' | 'type' | 'endpoint'>) {
  return { clientId, type, target: new URL(endpoint).origin };
}

/**
 * Logs the stored configurations that send a secret over plain http, in one line at the start of a process. If the database is unreachable,
 * the line is left out.
 */
export async function warnOfPlainSecrets(
  db: Database,
  logger: Pick<Logger, 'warn'>,
  { requireTls }: { readonly requireTls: boolean },
): Promise<void> {
  const stored = await db.systemUnitOfWork(configurationsWithSecret).catch(() => []);
  const plain = stored.filter(sendsPlainSecret);
  if (plain.length === 0) return;
  const webhooks = plain.slice(0, NAMED_MAX).map(namedInLog);
  const end = requireTls ? 'they are not sent, because LAUREL_WEBHOOK_REQUIRE_TLS is set' : 'set https endpoints';
  logger.warn(
    { count: plain.length, webhooks },
    `webhooks that send their authentication value over plain http: ${end}`,
  );
}
