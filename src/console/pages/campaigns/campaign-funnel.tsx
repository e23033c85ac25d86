import { useQuery } from '@connectrpc/connect-query';
import { Anchor, Card, Group, Progress, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { CampaignAdminService } from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import type { Campaign } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { pathOfStep } from './funnel-step.ts';

/** Milliseconds between two looks: the service counts again every ten seconds. */
const REFRESH_MS = 15_000;

/** The progress of a campaign's accounts, from its audiences to its reward. Each number links to its accounts. */
export function CampaignFunnel({ campaign: { id, audienceIds } }: { readonly campaign: Campaign }) {
  const t = useTranslations('campaigns');
  const query = useQuery(CampaignAdminService.method.getCampaignFunnel, { id }, { refetchInterval: REFRESH_MS });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const funnel = data?.funnel;
  return (
    <Card component="section">
      <Title order={2}>{t('funnel')}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('funnelHint')}
      </Text>
      {error !== null && <FailureAlert error={error} retry={() => void refetch()} />}
      {error === null && funnel === undefined && <Skeleton h={120} />}
      {funnel && (
        <Stack gap="sm">
          <Bar
            name={t('members')}
            count={funnel.members}
            of={funnel.members}
            // The accounts of several audiences, each counted once, have no list: the page names the audiences above.
            to={audienceIds.length === 1 ? `/audiences/${audienceIds[0]}` : undefined}
          />
          {funnel.missions.map(({ missionId, name, started, completed }) => (
            <Bar
              key={missionId}
              name={name}
              count={completed}
              started={started}
              of={funnel.members}
              to={pathOfStep(id, { mission: missionId, step: 'COMPLETED' })}
              toStarted={pathOfStep(id, { mission: missionId, step: 'STARTED' })}
            />
          ))}
          <Bar
            name={t('completedAll')}
            count={funnel.completed}
            of={funnel.members}
            to={pathOfStep(id, { step: 'COMPLETED' })}
          />
          <Bar
            name={t('closed')}
            count={funnel.claimed - funnel.waiting}
            waiting={funnel.waiting}
            of={funnel.members}
            to={pathOfStep(id, { step: 'CLOSED' })}
          />
        </Stack>
      )}
    </Card>
  );
}

/** Accounts that left the audience are still counted as having played, so a bar may be fuller than full. */
function Bar(props: {
  readonly name: string;
  readonly count: number;
  readonly started?: number;
  /** Accounts beside `count` that are there but for the stock. */
  readonly waiting?: number;
  readonly of: number;
  /** Where the accounts are listed that are counted. */
  readonly to: string | undefined;
  readonly toStarted?: string;
}) {
  const t = useTranslations('campaigns');
  const format = useFormatter();
  const share = (count: number) => (props.of === 0 ? 0 : Math.min(1, count / props.of));
  const percent = format.number(share(props.count), { style: 'percent', maximumFractionDigits: 1 });
  const { started, waiting = 0 } = props;
  const texts = { count: props.count, percent, completed: linkTo(props.to) };
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="sm">{props.name}</Text>
        <Text size="sm" c="dimmed" className="laurel-number">
          {started !== undefined
            ? t.rich('startedShare', { ...texts, begun: started, started: linkTo(props.toStarted) })
            : waiting > 0
              ? t.rich('closedWaiting', { ...texts, closed: props.count + waiting, waiting })
              : t.rich('share', texts)}
        </Text>
      </Group>
      <Progress.Root size="lg" radius="sm">
        <Progress.Section value={100 * share(props.count)} aria-label={props.name} />
        {started !== undefined && (
          <Progress.Section
            value={100 * Math.max(0, share(started) - share(props.count))}
            opacity={0.4}
            aria-label={t('started')}
          />
        )}
        {waiting > 0 && (
          <Progress.Section value={100 * share(waiting)} opacity={0.4} aria-label={t('waitingForStock')} />
        )}
      </Progress.Root>
    </div>
  );
}

/** Turns a number in a text into a link. */
function linkTo(to: string | undefined) {
  return (number: ReactNode) =>
    to === undefined ? (
      number
    ) : (
      <Anchor component={Link} to={to} inherit underline="always">
        {number}
      </Anchor>
    );
}
