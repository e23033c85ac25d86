import { ok } from '../../support/administration.ts';
import type { TestService } from '../../support/service.ts';

/** Lets the client of a service backfill events of so many days. */
export async function enableBackfill(service: Pick<TestService, 'rest' | 'clientId'>, days: number): Promise<void> {
  const path = `/admin/clients/${service.clientId}`;
  const { name, timeZone, version } = await ok(service.rest('GET', path));
  await ok(service.rest('PUT', path, { name, timeZone, version, backfillDaysMax: days }));
}
