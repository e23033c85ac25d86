import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { CampaignPhase_Value } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { enumName } from '../../api/enum-name.ts';

/** The names of the phases of a campaign, in the order of its life. */
export const campaignPhases = ['DRAFT', 'SCHEDULED', 'ACTIVE', 'PAUSED', 'FINISHED'] as const;

/** The colour of each phase, of the theme. */
export const phaseColours = {
  DRAFT: 'gray',
  SCHEDULED: 'blue',
  ACTIVE: 'laurel',
  PAUSED: 'yellow',
  FINISHED: 'dark',
} as const;

/** The current phase of a campaign for accounts, in a word and a colour. */
export function CampaignPhase({ phase }: { readonly phase: CampaignPhase_Value | undefined }) {
  const t = useTranslations('campaigns.phases');
  if (phase === undefined) return null;
  const name = enumName(CampaignPhase_Value, phase);
  return <Badge color={phaseColours[name]}>{t(name)}</Badge>;
}
