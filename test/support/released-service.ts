import { secretKeysFromText } from '../../src/kernel/secrets/secret-keys.ts';
import type { releasedDatabase } from './released-database.ts';
import { type Rest, restAs, startService, tenantOf, type TestService } from './service.ts';

/** This service on a database of a release, and calls of the client that the release has played with. */
export async function releasedService({
  database,
  played,
}: Awaited<ReturnType<typeof releasedDatabase>>): Promise<{ service: TestService; rest: Rest }> {
  const service = await startService({ database, secretKeys: secretKeysFromText(played.secretKeys) });
  return { service, rest: restAs(service.baseUrl, await tenantOf(service.db, played.clientId)) };
}
