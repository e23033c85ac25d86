import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ClientAdminService,
  type UpdateClientRequest,
  type UpdateClientResponseSchema,
} from '../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { ClientSchema } from '../../gen/laurel/admin/v1/client_pb.ts';
import { withZone } from '../kernel/time/zone-history.ts';
import { requireVersion } from '../audit/require-version.ts';
import { changeCatalog } from './change-catalog.ts';
import { checkedTimeZone } from './checked-time-zone.ts';
import { toClientMessage } from './client-message.ts';
import { checkedOrigins } from './account-tokens/checked-origins.ts';
import { callerLacksSecondFactor, requireOwnFactor, setupRequired } from './second-factor/required-factor.ts';
import type { Call } from './call.ts';
import { NO_REVIEWS_MOVED } from './streak-reviews.ts';
import { streakSettingsOf } from './streak-settings.ts';
import { requireClient, visibleClientId } from './visible-client.ts';

/** Replaces the name, the time zone and the settings of a client: proto ClientAdminService.UpdateClient. */
export async function updateClient(
  { db, principal, now }: Call,
  request: UpdateClientRequest,
): Promise<MessageInitShape<typeof UpdateClientResponseSchema>> {
  const timeZone = checkedTimeZone(request.timeZone);
  const change = { operation: ClientAdminService.method.updateClient, schema: ClientSchema };
  const lacksFactor = await callerLacksSecondFactor(db, principal);
  const ofClient = { ...principal, clientId: visibleClientId(principal, request.id) };
  const { after } = await changeCatalog(db, ofClient, change, async (uow) => {
    const client = await requireClient(uow);
    // Service administrators may pass any client in the path, but authentication checks only the client of the header.
    if (client.requireSecondFactor && lacksFactor) throw setupRequired();
    await requireVersion(uow, ClientSchema, client, request.version);
    const requireSecondFactor = request.requireSecondFactor ?? client.requireSecondFactor;
    if (requireSecondFactor) requireOwnFactor(lacksFactor);
    const before = toClientMessage(client);
    const zones = { timeZone: client.timeZone, past: client.pastZones };
    const { past: pastZones } = withZone(zones, timeZone, now);
    const streakSettings = request.streaks ? streakSettingsOf(request.streaks) : client.streakSettings;
    const hours = client.streakSettings?.atRiskHours;
    const movesReviews = hours !== undefined && (timeZone !== client.timeZone || streakSettings?.atRiskHours !== hours);
    uow.em.assign(client, {
      name: request.name,
      timeZone,
      pastZones,
      requireSecondFactor,
      backfillDaysMax: request.backfillDaysMax ?? client.backfillDaysMax,
      badgesInRewardsWebhook: request.badgesInRewardsWebhook ?? client.badgesInRewardsWebhook,
      outlierThreshold: request.outlierThreshold ?? client.outlierThreshold,
      accountTokenOrigins: request.accountTokens
        ? checkedOrigins(request.accountTokens.origins)
        : client.accountTokenOrigins,
      streakSettings,
      streakLooksMoved: movesReviews ? NO_REVIEWS_MOVED : client.streakLooksMoved,
      version: client.version + 1,
    });
    await uow.em.flush();
    const after = toClientMessage(client);
    return { id: client.id, before, after };
  });
  return { client: after };
}
