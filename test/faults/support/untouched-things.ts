import type { Fields } from '../../contract/support/requests.ts';
import { newDeadTrigger, type World } from '../../contract/support/world.ts';
import { ok } from '../../support/administration.ts';
import type { Tenant, TestService } from '../../support/service.ts';

/**
 * Resources that an administrator may still replace, remove or archive, by operation. Each operation has a separate one, because all other
 * resources of the world are in use or have been active.
 */
export async function untouchedThings(
  service: TestService,
  tenant: Tenant,
  { name, audience, reward }: World,
): Promise<Record<string, Fields>> {
  const post = (path: string, body: object) => ok(service.rest('POST', path, body, tenant.adminToken));
  const mission = { type: 'MISSION', name, programmaticCode: name, target: 1 };
  const campaign = { name, audienceIds: [audience], rewardIds: [reward], missions: [mission] };
  const [edited, deleted] = [await post('/admin/campaigns', campaign), await post('/admin/campaigns', campaign)];
  const product = await post('/admin/products', { name, stockMode: 'COUNTED' });
  const later = { ...mission, startsAt: '2090-01-01T00:00:00Z' };
  const chest = { name, entries: [{ rewardId: reward, weight: 1 }] };
  const named = async (path: string, body: object): Promise<Fields> => ({ id: (await post(path, body)).id });
  return {
    'AudienceAdminService.deleteAudience': await named('/admin/audiences', { name, kind: 'MANUAL' }),
    'CampaignAdminService.updateCampaign': {
      id: edited.id,
      campaign: { ...campaign, missions: [{ ...mission, id: edited.missions[0].id }] },
    },
    'CampaignAdminService.deleteCampaign': { id: deleted.id },
    'ChestAdminService.archiveChestDefinition': await named('/admin/chests', chest),
    'DeadTriggerAdminService.discardDeadTrigger': { id: await newDeadTrigger(service, tenant, name) },
    'EventDefinitionAdminService.deleteEventDefinition': await named('/admin/event-definitions', {
      programmaticCode: `${name}_UNUSED`,
      type: 'SINGLE',
    }),
    'MissionAdminService.updateMission': {
      ...(await named('/admin/missions', { audienceId: audience, mission: later })),
      mission: later,
    },
    'ProductAdminService.archiveProduct': await named('/admin/products', { name, stockMode: 'COUNTED' }),
    'PublicationAdminService.deletePublication': await named('/admin/publications', { name, productId: product.id }),
    'WebhookEndpointService.testWebhookEndpoint': await named('/webhooks/endpoints', {
      endpoint: { name, url: 'http://127.0.0.1:1/', types: ['STOCK_LOW'] },
    }),
    'RewardAdminService.archiveReward': await named('/admin/rewards', { name, type: 'POINTS', amount: 1 }),
  };
}
