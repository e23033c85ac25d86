import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Card, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { Overview, Overview_Point } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import type { JournalEntry_Effect as Effect } from '../../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import type { EnumName } from '../../api/enum-name.ts';
import { localTimeOf } from '../../form/local-time.ts';
import { usePreferences } from '../../language/preferences.ts';
import { Figure } from '../../shell/figure.tsx';
import { anyFailure } from '../webhooks/delivery-outcomes.ts';
import type { SpanName } from './spans.ts';

/** One figure: its name, its link and its value. */
type Tile = { readonly name: string; readonly path: string; readonly figure: string; readonly change?: string };

/** The figures of the first page: the current totals, and separately the sums of the span beside those of the previous one. */
export function Figures(props: {
  readonly overview: Overview | undefined;
  readonly span: SpanName;
  /** Where the span begins. */
  readonly since: Date;
}) {
  const { overview, span } = props;
  const t = useTranslations('overview');
  const format = useFormatter();
  const totals = overview?.totals;
  const now: readonly Tile[] = [
    { name: t('accounts'), path: '/accounts', figure: format.number(totals?.accounts ?? 0) },
    {
      name: t('activeCampaigns'),
      path: '/campaigns?phase=ACTIVE',
      figure: format.number(totals?.activeCampaigns ?? 0),
    },
    { name: t('pendingStock'), path: '/products?waiting=true', figure: format.number(totals?.pendingStock ?? 0) },
  ];
  return (
    <>
      <Tiles title={t('now')} tiles={now} columns={3} isKnown={overview !== undefined} />
      <Tiles
        title={t(`lately.${span}`)}
        tiles={useSums(overview, props.since)}
        columns={6}
        isKnown={overview !== undefined}
      />
    </>
  );
}

/** The sums of the span, each with its change. */
function useSums(overview: Overview | undefined, since: Date): readonly Tile[] {
  const t = useTranslations('overview');
  const format = useFormatter();
  const { timeZone } = usePreferences();
  const points = overview?.points ?? [];
  const former = overview?.former;

  const counted = (name: CountName, path: string): Tile => {
    const count = sumOf(points, name);
    return { name: t(name), path, figure: format.number(count), ...changeOf(count, former?.[name] ?? 0) };
  };

  // The lists are narrowed by whole days.
  const from = localTimeOf(timestampFromDate(since), timeZone).slice(0, 10);
  const journalOf = (narrowing: { readonly effect?: EnumName<typeof Effect> | 'REWARDED' }) =>
    `/journal?${new URLSearchParams({ ...narrowing, from })}`;

  function changeOf(count: number, before: number): Pick<Tile, 'change'> {
    if (before === 0) return {};
    const change = format.number(count / before - 1, {
      style: 'percent',
      signDisplay: 'exceptZero',
      maximumFractionDigits: 0,
    });
    return { change: t('change', { change, before: format.number(before, 'short') }) };
  }

  const arrived = shareOf(sumOf(points, 'webhooksDelivered'), sumOf(points, 'webhooksFailed'));
  const before = shareOf(former?.webhooksDelivered ?? 0, former?.webhooksFailed ?? 0);
  const percent = (share: number) => format.number(share, { style: 'percent', maximumFractionDigits: 1 });
  return [
    counted('eventsApplied', journalOf({})),
    counted('missionsCompleted', journalOf({ effect: 'COMPLETED' })),
    counted('rewardsDelivered', journalOf({ effect: 'REWARDED' })),
    counted('campaignsCompleted', journalOf({ effect: 'CAMPAIGN_COMPLETED' })),
    counted('callsRefused', `/refused-calls?${new URLSearchParams({ from })}`),
    {
      name: t('webhookSuccess'),
      path: `/webhooks?${new URLSearchParams({ outcome: anyFailure })}`,
      figure: arrived === undefined ? '–' : percent(arrived),
      ...(before !== undefined && { change: t('before', { before: percent(before) }) }),
    },
  ];
}

type CountName = 'callsRefused' | 'eventsApplied' | 'missionsCompleted' | 'rewardsDelivered' | 'campaignsCompleted';

function sumOf(points: readonly Overview_Point[], name: CountName | 'webhooksDelivered' | 'webhooksFailed'): number {
  return points.reduce((total, point) => total + point[name], 0);
}

/** The share of delivered webhooks; undefined without any. */
function shareOf(delivered: number, failed: number): number | undefined {
  return delivered + failed === 0 ? undefined : delivered / (delivered + failed);
}

function Tiles(props: {
  readonly title: string;
  readonly tiles: readonly Tile[];
  readonly columns: number;
  readonly isKnown: boolean;
}) {
  const { title, tiles, columns, isKnown } = props;
  return (
    <Stack component="section" gap="xs">
      <Title order={2} size="h4">
        {title}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: columns }}>
        {tiles.map(({ name, path, figure, change }) => (
          <Card key={name} padding="md" component={Link} to={path} c="inherit">
            <Text size="xs" c="dimmed">
              {name}
            </Text>
            {isKnown ? <Figure>{figure}</Figure> : <Skeleton h={26} w={80} my={3} />}
            {/* Its place is kept, so that tiles beside each other are as high. */}
            {tiles.some((tile) => tile.change !== undefined) && (
              <Text size="xs" c="dimmed" mih={18}>
                {change}
              </Text>
            )}
          </Card>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
