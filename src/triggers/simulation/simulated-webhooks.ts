import { create, type JsonValue } from '@bufbuild/protobuf';
import { type SimulatedMission, SimulatedWebhookSchema } from '../../../gen/laurel/v1/trigger_pb.ts';
import { maskedCodes } from '../../kernel/secrets/masked-code.ts';
import type { EnqueuedRequest } from '../../webhooks/outbox/enqueued-requests.ts';

/** The names that the webhook bodies of one account's event can contain. */
type Named = { readonly missionId?: string; readonly campaignId?: string; readonly productId?: string };

/**
 * Adds the webhooks of a simulated event to the missions that cause them. Their codes are always masked, because no
 * account has earned them.
 */
export function addWebhooks(missions: readonly SimulatedMission[], requests: readonly EnqueuedRequest[]): void {
  for (const { type, endpointId, body, target, headerNames } of requests) {
    const content = JSON.parse(body) as JsonValue;
    const named = namedIn(content);
    const webhook = { type, endpointId, target, headerNames: [...headerNames] };
    const masked = create(SimulatedWebhookSchema, { ...webhook, body: JSON.stringify(maskedCodes(content)) });
    missions.findLast((mission) => causes(mission, type, named))?.webhooks.push(masked);
  }
}

/** The names in a body: of a webhook, or of an endpoint, whose body has the change as `data`. */
function namedIn(content: JsonValue): Named {
  const change = 'data' in (content as object) ? (content as { data: object }).data : content;
  const items = 'rewards' in (change as object) ? (change as { rewards: JsonValue }).rewards : change;
  return (Array.isArray(items) ? items[0] : items) as Named;
}

function causes(mission: SimulatedMission, type: EnqueuedRequest['type'], named: Named): boolean {
  const { missionId, closing, rewards } = mission;
  if (type === 'MISSION_COMPLETED') return missionId === named.missionId;
  if (type === 'REWARDS' || type === 'REWARDS_DELIVERED')
    return closing !== undefined && closing.campaignId === named.campaignId;
  return [...rewards, ...(closing?.rewards ?? [])].some(({ productId }) => productId === named.productId);
}
