import { create, type JsonValue } from '@bufbuild/protobuf';
import { type SimulatedMission, SimulatedWebhookSchema } from '../../gen/laurel/v1/trigger_pb.ts';
import { maskedCodes } from '../kernel/secrets/masked-code.ts';
import type { EnqueuedRequest } from '../webhooks/outbox/enqueued-requests.ts';

/** The names that the webhook bodies of one account's event can contain. */
type Named = { readonly missionId?: string; readonly campaignId?: string; readonly productId?: string };

/**
 * Adds the webhooks of a simulated event to the missions that cause them. Their codes are always masked, because no
 * account has earned them.
 */
export function addWebhooks(missions: readonly SimulatedMission[], requests: readonly EnqueuedRequest[]): void {
  for (const { type, body, target, headerNames } of requests) {
    const content = JSON.parse(body) as JsonValue;
    const named = (Array.isArray(content) ? content[0] : content) as Named;
    const webhook = { type, target, headerNames: [...headerNames] };
    const masked = create(SimulatedWebhookSchema, { ...webhook, body: JSON.stringify(maskedCodes(content)) });
    missions.findLast((mission) => causes(mission, type, named))?.webhooks.push(masked);
  }
}

function causes(mission: SimulatedMission, type: EnqueuedRequest['type'], named: Named): boolean {
  const { missionId, closing, rewards } = mission;
  if (type === 'MISSION_COMPLETED') return missionId === named.missionId;
  if (type === 'REWARDS') return closing !== undefined && closing.campaignId === named.campaignId;
  return [...rewards, ...(closing?.rewards ?? [])].some(({ productId }) => productId === named.productId);
}
