import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { Anchor, Card } from '@mantine/core';
import { Fragment } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { type Campaign, Campaign_ClaimPolicy } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { Facts } from '../../shell/facts.tsx';
import { useAudienceNames, useRewardNames } from './use-names.ts';

/** The audiences, the period and the rewards of a campaign. */
export function CampaignFacts({ campaign }: { readonly campaign: Campaign }) {
  const t = useTranslations('campaigns');
  const format = useFormatter();
  const audienceName = useAudienceNames(campaign.audienceIds);
  const rewardName = useRewardNames(campaign.rewardIds);
  const moment = (time: Timestamp | undefined) => time && format.dateTime(timestampDate(time), 'moment');
  const explicit = campaign.claimPolicy === Campaign_ClaimPolicy.EXPLICIT;
  return (
    <Card>
      <Facts
        facts={[
          [
            t('audiences'),
            campaign.audienceIds.map((id, index) => (
              <Fragment key={id}>
                {index > 0 && ', '}
                <Anchor component={Link} to={`/audiences/${id}`} size="sm">
                  {audienceName(id)}
                </Anchor>
              </Fragment>
            )),
          ],
          [
            t('controlGroup'),
            campaign.controlGroupPercent === undefined
              ? t('noControlGroup')
              : t('controlGroupShare', { percent: campaign.controlGroupPercent }),
          ],
          [t('completionRewards'), format.list(campaign.rewardIds.map(rewardName))],
          [t('claimPolicy'), t(`policies.${explicit ? 'EXPLICIT' : 'AUTOMATIC'}`)],
          [t('startsAt'), moment(campaign.startsAt) ?? t('atOnce')],
          [t('endsAt'), moment(campaign.endsAt) ?? t('openEnd')],
          [t('activatedAt'), moment(campaign.activatedAt)],
        ]}
      />
    </Card>
  );
}
