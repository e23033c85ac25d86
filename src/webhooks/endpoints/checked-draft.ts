import { Change_KindSchema } from '../../../gen/laurel/v1/change_pb.ts';
import { type WebhookEndpointDraft, WebhookEndpoint_FormSchema } from '../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { changeRules } from '../changes/change-kind.ts';
import { checkEndpoint } from '../configuration/webhook-settings.ts';
import type { WebhookEndpointEntity } from './webhook-endpoint.entity.ts';
import type { WebhookEndpointsOptions } from './webhook-endpoints-options.ts';

/** The settings of an endpoint that a draft states. */
type Checked = Pick<WebhookEndpointEntity, 'name' | 'url' | 'types' | 'campaignIds' | 'retries' | 'form'>;

/**
 * Checks a draft.
 * @param knownCampaignIds the campaigns of the endpoint so far, of which one may have been deleted since
 * @throws DomainError `BAD_REQUEST`, `CAMPAIGN_NOT_FOUND`
 */
export async function checkedDraft(
  uow: UnitOfWork,
  draft: WebhookEndpointDraft,
  { allowPrivate, unknownCampaigns }: Pick<WebhookEndpointsOptions, 'allowPrivate' | 'unknownCampaigns'>,
  knownCampaignIds: readonly string[] = [],
): Promise<Checked> {
  const { name, url, retries = true } = draft;
  checkEndpoint(url, allowPrivate, { name: 'url', hint: sentence`leave it out: all requests are signed` });
  const types = draft.types.map((type) => enumName(Change_KindSchema, type)!);
  const campaignIds = draft.campaignIds.map((id) => id.toLowerCase());
  const without = types.filter((type) => !changeRules[type].hasCampaign);
  if (campaignIds.length > 0 && without.length > 0) {
    throw badRequest(
      sentence`campaignIds select changes of campaigns, and ${without.join(', ')} belong to none: leave these types out, or create another endpoint for them.`,
    );
  }
  const added = campaignIds.filter((id) => !knownCampaignIds.includes(id));
  const unknown = added.length === 0 ? [] : await unknownCampaigns(uow, added);
  if (unknown.length > 0) {
    const message = sentence`There is no campaign with the id ${unknown.join(', ')}. Send campaignIds of existing campaigns.`;
    throw new DomainError('CAMPAIGN_NOT_FOUND', message);
  }
  return { name, url, types, campaignIds, retries, form: enumName(WebhookEndpoint_FormSchema, draft.form) ?? 'PLAIN' };
}
