import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { Anchor, Card, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import {
  CampaignAdminService,
  type CampaignEffect as Effect,
  type CampaignEffect_Group as Group,
  CampaignEffect_Verdict as Verdict,
} from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { StatisticDefinitionAdminService } from '../../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import type { Campaign } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { statistics } from '../../form/references.ts';
import { Facts } from '../../shell/facts.tsx';
import { filterOf } from '../../table/filter-of.ts';

/** Statistics whose parts are added up, so that their periods can be. */
const ADDED = { aggregation: ['COUNT', 'SUM', 'DAYS'] };

/** The accounts of a campaign beside those that it holds back, by a statistic that the person chooses; at first by any. */
export function CampaignEffect({ campaign: { id } }: { readonly campaign: Campaign }) {
  const t = useTranslations('campaigns.effect');
  const [chosen, setChosen] = useState('');
  const some = useQuery(StatisticDefinitionAdminService.method.listStatisticDefinitions, {
    ...{ page: 1, limit: 1 },
    filters: filterOf(ADDED),
  });
  const statisticCode = chosen === '' ? (some.data?.rows[0]?.code ?? '') : chosen;
  const query = useQuery(
    CampaignAdminService.method.getCampaignEffect,
    { id, statisticCode },
    { enabled: statisticCode !== '' },
  );
  const error = failureOfQuery(some) ?? failureOfQuery(query);
  const effect = query.data?.effect;
  return (
    <Card component="section">
      <Title order={2}>{t('title')}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('hint')}
      </Text>
      {error !== null && (
        <FailureAlert error={error} retry={() => void (some.isError ? some.refetch() : query.refetch())} />
      )}
      {some.data?.totalRows === 0 && (
        <Text size="sm">
          {t.rich('none', {
            link: (words) => (
              <Anchor component={Link} to="/statistics" inherit underline="always">
                {words}
              </Anchor>
            ),
          })}
        </Text>
      )}
      {statisticCode !== '' && (
        <Stack gap="md">
          <ReferenceSelect
            of={statistics}
            where={ADDED}
            label={t('statistic')}
            description={t('statisticHint')}
            value={statisticCode}
            onChange={setChosen}
          />
          {error === null && effect === undefined && <Skeleton h={120} />}
          {effect && <Figures effect={effect} />}
        </Stack>
      )}
    </Card>
  );
}

function Figures({ effect }: { readonly effect: Effect }) {
  const t = useTranslations('campaigns.effect');
  const format = useFormatter();
  const { offered, heldBack, difference, low, high, since, verdict } = effect;
  const number = (value: number) => format.number(value, { maximumSignificantDigits: 4 });
  const group = (of: Group | undefined) => of && t('group', { mean: number(of.mean), accounts: of.accounts });
  const between =
    low === undefined || high === undefined
      ? number(difference)
      : t('interval', { difference: number(difference), low: number(low), high: number(high) });
  return (
    <>
      <Text fw={600}>{t(`verdicts.${enumName(Verdict, verdict)}`)}</Text>
      <Facts
        facts={[
          [t('offered'), group(offered)],
          [t('heldBack'), group(heldBack)],
          [t('difference'), between],
          [t('since'), since === undefined ? t('allTime') : format.dateTime(timestampDate(since), 'moment')],
        ]}
      />
    </>
  );
}
