import { useQuery } from '@connectrpc/connect-query';
import { Button, Card, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { failureOfQuery } from '../../../api/failure.ts';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { FailureAlert } from '../../../feedback/failure-alert.tsx';
import { isDay } from '../../../form/local-time.ts';
import { usePreferences } from '../../../language/preferences.ts';
import { Page } from '../../../shell/page.tsx';
import { CampaignPages } from '../campaign-pages.tsx';
import classes from './calendar.module.css';
import { CalendarHead, CalendarRow } from './calendar-row.tsx';
import { dayBefore, type Scale, scales, windowOf } from './calendar-window.ts';
import { positionIn, runOf } from './spans.ts';

/** The most campaigns that the calendar loads; older ones have very probably ended. */
const LOOKED_AT = 500;

/** The calendar of campaigns in some weeks or months. The address has the shown period and filters. */
export function CampaignCalendar() {
  const t = useTranslations('campaigns.calendar');
  const { timeZone } = usePreferences();
  const [now] = useState(() => Date.now());
  const [params, setParams] = useSearchParams();
  const query = useQuery(CampaignAdminService.method.listCampaigns, { page: 1, limit: LOOKED_AT });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const scale = scales.find((name) => name === params.get('scale')) ?? 'weeks';
  const from = params.get('from');
  const window = windowOf(scale, isDay(from) ? from : dayBefore(scale, now, timeZone), timeZone);
  const campaigns = (data?.rows ?? []).map((campaign) => ({ campaign, ...runOf(campaign, now) }));
  const shown = campaigns
    .flatMap(({ campaign, run, pauses }) => (run && positionIn(window, run) ? [{ campaign, run, pauses }] : []))
    .toSorted((one, other) => one.run.from - other.run.from);
  const undated = campaigns.filter(({ run }) => run === undefined);

  function show(changes: { scale?: Scale; from?: string | undefined }): void {
    setParams((former) => {
      const next = new URLSearchParams(former);
      if (changes.scale) next.set('scale', changes.scale);
      if (changes.from) next.set('from', changes.from);
      else if ('from' in changes) next.delete('from');
      return next;
    });
  }

  return (
    <Page title={t('title')} description={t('description')}>
      <CampaignPages />
      <Group justify="space-between" gap="sm">
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<ChevronLeft size={16} aria-hidden />}
            onClick={() => show({ from: window.earlier })}
          >
            {t('earlier')}
          </Button>
          <Button variant="default" onClick={() => show({ from: undefined })}>
            {t('today')}
          </Button>
          <Button
            variant="default"
            rightSection={<ChevronRight size={16} aria-hidden />}
            onClick={() => show({ from: window.later })}
          >
            {t('later')}
          </Button>
        </Group>
        <SegmentedControl
          aria-label={t('scale')}
          value={scale}
          onChange={(value) => show({ scale: scales.find((name) => name === value) ?? 'weeks' })}
          data={scales.map((value) => ({ value, label: t(value) }))}
        />
      </Group>
      {error !== null && <FailureAlert error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton h={240} />}
      {data && (
        <Card>
          <CalendarHead window={window} scale={scale} now={now} />
          {shown.length === 0 ? (
            <EmptyState icon={CalendarDays} title={t('none')} hint={t('noneHint')} />
          ) : (
            <ul className={classes['list']} aria-label={t('title')}>
              {shown.map((row) => (
                <CalendarRow key={row.campaign.id} {...row} window={window} now={now} />
              ))}
            </ul>
          )}
        </Card>
      )}
      {data && data.totalRows > data.rows.length && (
        <Text size="sm" c="dimmed">
          {t('latest', { count: data.rows.length, total: data.totalRows })}
        </Text>
      )}
      {undated.length > 0 && (
        <Card component="section">
          <Stack gap={4} mb="xs">
            <Title order={2}>{t('undated')}</Title>
            <Text size="sm" c="dimmed">
              {t('undatedHint')}
            </Text>
          </Stack>
          <ul className={classes['list']} aria-label={t('undated')}>
            {undated.map(({ campaign }) => (
              <CalendarRow key={campaign.id} campaign={campaign} window={window} now={now} />
            ))}
          </ul>
        </Card>
      )}
    </Page>
  );
}
