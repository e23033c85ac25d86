import { useQuery } from '@connectrpc/connect-query';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CalendarDays, ShieldPlus } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import { StreakFreezeEntry_Type } from '../../../../../gen/laurel/v1/streak_freeze_pb.ts';
import { StreakFreezeService } from '../../../../../gen/laurel/v1/streak_freeze_service_pb.ts';
import { VacationService } from '../../../../../gen/laurel/v1/vacation_service_pb.ts';
import { enumName } from '../../../api/enum-name.ts';
import { failureOfQuery } from '../../../api/failure.ts';
import { EmptyState } from '../../../feedback/empty-state.tsx';
import { FailureAlert } from '../../../feedback/failure-alert.tsx';
import { Allowed } from '../../../session/allowed.tsx';
import { useSession } from '../../../session/session-context.tsx';
import { RowsTable } from '../../../table/rows-table.tsx';
import { dayBefore } from '../../timeline/day-before.ts';
import { usePeriodName } from '../../timeline/period-name.ts';
import { AnnounceVacations } from '../announce-vacations.tsx';
import { GrantFreezes } from '../grant-freezes.tsx';

/** The freezes and vacations of an account, as far as its client has them. */
export function StreakProtection({ accountId }: { readonly accountId: string }) {
  const { freezesMax = 0, vacationDaysMax = 0 } = useSession().client?.streaks ?? {};
  return (
    <>
      {freezesMax > 0 && <Freezes accountId={accountId} />}
      {vacationDaysMax > 0 && <Vacations accountId={accountId} />}
    </>
  );
}

/** The lines per read: the service's maximum. The timeline has the earlier ones. */
const MOST = 200;

function Freezes({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts.freezes');
  const format = useFormatter();
  const nameOf = usePeriodName();
  const [granting, { open, close }] = useDisclosure(false);
  const query = useQuery(StreakFreezeService.method.listStreakFreezes, { accountId, limit: MOST });
  const error = failureOfQuery(query);
  const { owned = 0, most = 0, rows } = query.data ?? {};
  return (
    <Stack component="section" gap="sm" aria-labelledby="account-freezes" mt="md">
      <Group justify="space-between">
        <div>
          <Title order={2} id="account-freezes">
            {t('title')}
          </Title>
          <Text size="sm" c="dimmed">
            {query.data === undefined ? t('hint') : t('owned', { owned, most })}
          </Text>
        </div>
        <Allowed to={Permission.SUPPORT_ACCOUNTS}>
          <Button variant="default" leftSection={<ShieldPlus size={16} />} onClick={open} disabled={owned >= most}>
            {t('grant')}
          </Button>
        </Allowed>
      </Group>
      {error === null ? (
        <RowsTable
          label={t('title')}
          rows={rows}
          rowKey={({ id }) => id}
          empty={<EmptyState hint={t('empty')} />}
          columns={[
            {
              key: 'effectiveAt',
              title: t('at'),
              render: ({ effectiveAt }) => effectiveAt && format.dateTime(timestampDate(effectiveAt), 'moment'),
            },
            {
              key: 'type',
              title: t('type'),
              render: ({ type }) => <Badge color="gray">{t(`types.${enumName(StreakFreezeEntry_Type, type)}`)}</Badge>,
            },
            {
              key: 'amount',
              title: t('amount'),
              align: 'right',
              render: ({ amount }) => (
                <Text span size="sm" fw={550} c={amount < 0 ? 'red' : 'var(--mantine-color-anchor)'}>
                  {format.number(amount, 'signedAmount')}
                </Text>
              ),
            },
            {
              key: 'for',
              title: t('for'),
              render: ({ missionName, periodKey, milestone, reason, points }) => {
                const period = periodKey === undefined ? undefined : nameOf(periodKey);
                const length = milestone === undefined ? undefined : t('milestone', { length: milestone });
                const price = points === undefined ? undefined : t('points', { points });
                const parts = [missionName, period ?? length, price, reason];
                return parts.filter((part) => part !== undefined).join(' · ') || '–';
              },
            },
          ]}
        />
      ) : (
        <FailureAlert error={error} retry={() => void query.refetch()} />
      )}
      {granting && <GrantFreezes accountId={accountId} room={most - owned} onClose={close} />}
    </Stack>
  );
}

function Vacations({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts.vacations');
  const nameOf = usePeriodName();
  const [announcing, { open, close }] = useDisclosure(false);
  const query = useQuery(VacationService.method.listVacations, { accountId });
  const error = failureOfQuery(query);
  const { data } = query;
  const today = data?.today ?? '';
  return (
    <Stack component="section" gap="sm" aria-labelledby="account-vacations" mt="md">
      <Group justify="space-between">
        <div>
          <Title order={2} id="account-vacations">
            {t('title')}
          </Title>
          <Text size="sm" c="dimmed">
            {data === undefined ? t('hint') : t('left', { left: data.daysLeft, most: data.daysMax })}
          </Text>
        </div>
        <Allowed to={Permission.ACT_FOR_ACCOUNTS}>
          <Button
            variant="default"
            leftSection={<CalendarDays size={16} />}
            onClick={open}
            disabled={data === undefined}
          >
            {t('change')}
          </Button>
        </Allowed>
      </Group>
      {error === null ? (
        <RowsTable
          label={t('title')}
          rows={data?.rows}
          rowKey={({ since }) => since}
          empty={<EmptyState hint={t('empty')} />}
          columns={[
            { key: 'since', title: t('first'), render: ({ since }) => nameOf(since) },
            { key: 'until', title: t('last'), render: ({ until }) => nameOf(dayBefore(until)) },
            {
              key: 'state',
              title: t('state'),
              render: ({ since, until }) => {
                if (until <= today) return <Badge color="gray">{t('over')}</Badge>;
                return since <= today ? <Badge>{t('running')}</Badge> : <Badge color="blue">{t('ahead')}</Badge>;
              },
            },
          ]}
        />
      ) : (
        <FailureAlert error={error} retry={() => void query.refetch()} />
      )}
      {announcing && data && (
        <AnnounceVacations accountId={accountId} vacations={data.rows} today={today} onClose={close} />
      )}
    </Stack>
  );
}
