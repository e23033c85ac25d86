import { secretKeysFromText } from '../../src/kernel/secrets/secret-keys.ts';
import type { releasedDatabase } from './released-database.ts';
import { type Rest, restAs, startService, tenantOf, type TestService } from './service.ts';

/** The service on a database of an earlier release, and calls of the client that the release used. */
export async function releasedService({
  database,
  played,
}: Awaited<ReturnType<typeof releasedDatabase>>): Promise<{ service: TestService; rest: Rest }> {
  const service = await startService({ database, secretKeys: secretKeysFromText(played.secretKeys) });
  return { service, rest: restAs(service.baseUrl, await tenantOf(service.db, played.clientId)) };
}
