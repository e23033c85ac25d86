import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Campaign_Status } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { enumName } from '../../api/enum-name.ts';

/** The names of the states of a campaign, in the order of its life. */
export const campaignStatuses = ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'] as const;

const colours = { DRAFT: 'gray', ACTIVE: 'laurel', PAUSED: 'yellow', ENDED: 'dark' } as const;

/** Where a campaign stands, in a word and a colour. */
export function CampaignStatus({ status }: { readonly status: Campaign_Status }) {
  const t = useTranslations('campaigns.statuses');
  const name = enumName(Campaign_Status, status);
  return (
    <Badge color={colours[name]} variant={name === 'ACTIVE' ? 'filled' : 'light'}>
      {t(name)}
    </Badge>
  );
}
