import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Anchor, Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { type TimelineEntry, TimelineEntry_Kind as Kind } from '../../../../gen/laurel/admin/v1/timeline_entry_pb.ts';
import type { Chest } from '../../../../gen/laurel/v1/chest_pb.ts';
import { LeaderboardPlace_Outcome } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { PointEntry_Type } from '../../../../gen/laurel/v1/loyalty_pb.ts';
import { Reservation_Status } from '../../../../gen/laurel/v1/marketplace_pb.ts';
import { Redemption_Source, Redemption_Status } from '../../../../gen/laurel/v1/redemption_pb.ts';
import { EarnedReward_Status } from '../../../../gen/laurel/v1/reward_pb.ts';
import { StreakFreezeEntry_Type } from '../../../../gen/laurel/v1/streak_freeze_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { useQuotedNote } from '../../language/use-note-words.ts';
import { NameLink } from '../../names/name-link.tsx';
import { useName } from '../../names/use-name.ts';
import { useAuditWords } from '../../differences/in-words.ts';
import { RefusedCallLine } from '../refused-calls/refused-call-line.tsx';
import { dayBefore } from './day-before.ts';
import { EventLine } from './event-line.tsx';
import { Line } from './line.tsx';
import { usePeriodName } from './period-name.ts';
import { RewardSource, useRewardAmount } from './reward-source.tsx';

type What = TimelineEntry['what'];
type Of<Case> = Extract<What, { case: Case }> extends { value: infer Value } ? Value : never;

/** The component for entries of one kind; `entry` has the common fields. */
type KindLine<Case> = (props: {
  readonly entry: TimelineEntry;
  readonly value: Of<Case>;
  readonly beneath: readonly TimelineEntry[];
  readonly accountId: string;
}) => ReactNode;

/** One thing that happened to an account, whatever its kind. */
export function EntryLine(props: {
  readonly entry: TimelineEntry;
  readonly beneath: readonly TimelineEntry[];
  readonly accountId: string;
}) {
  const { what } = props.entry;
  if (what.case === undefined) return null;
  const KindLine = kindLines[what.case] as (all: typeof props & { value: unknown }) => ReactNode;
  return <KindLine {...props} value={what.value} />;
}

/** The lines of what an entry caused. */
function linesOf(beneath: readonly TimelineEntry[], accountId: string): ReactNode[] {
  return beneath.map((entry) => (
    <EntryLine key={`${entry.kind} ${entry.id}`} entry={entry} beneath={[]} accountId={accountId} />
  ));
}

const kindLines: { readonly [Case in NonNullable<What['case']>]: KindLine<Case> } = {
  event: ({ value, beneath, accountId }) => (
    <EventLine
      event={value}
      beneath={linesOf(beneath, accountId)}
      rewardsBeneath={beneath.flatMap(({ kind, id }) => (kind === Kind.REWARD ? [id] : []))}
    />
  ),

  refusal: ({ value }) => <RefusedCallLine call={value} isOfAccount />,

  mission({ entry, value: { name, periodKey, campaignId, campaignName } }) {
    const t = useTranslations('timeline');
    const nameOf = usePeriodName();
    const mission = name || t('someMission');
    return (
      <Line moment={entry.happenedAt} links={[<CampaignLink key="campaign" id={campaignId} name={campaignName} />]}>
        {periodKey === '' ? t('mission', { mission }) : t('missionPeriod', { mission, period: nameOf(periodKey) })}
      </Line>
    );
  },

  campaign({ entry, value: { campaignId, name, closedAt } }) {
    const t = useTranslations('timeline');
    const campaign = name || t('someCampaign');
    return (
      <Line moment={entry.happenedAt} links={[<CampaignLink key="campaign" id={campaignId} name={name} />]}>
        {t(closedAt === undefined ? 'campaignOpen' : 'campaignClosed', { campaign })}
      </Line>
    );
  },

  reward({ entry, beneath, accountId, value }) {
    const { rewardId, status, campaignId, productId } = value;
    const t = useTranslations('timeline');
    const amountOf = useRewardAmount();
    const reward = useName('reward', rewardId);
    return (
      <Line
        moment={entry.happenedAt}
        beneath={linesOf(beneath, accountId)}
        links={[
          amountOf(value),
          campaignId && <NameLink key="campaign" kind="campaign" id={campaignId} />,
          productId && <NameLink key="product" kind="product" id={productId} />,
          ...useInterventions(entry),
        ]}
      >
        {t(status === EarnedReward_Status.PENDING_STOCK ? 'rewardPending' : 'reward', { reward })}
      </Line>
    );
  },

  points({ entry, accountId, value: { type, amount, balanceAfter, reason, sourceType, sourceId } }) {
    const t = useTranslations('timeline');
    const quoted = useQuotedNote();
    const name = enumName(PointEntry_Type, type);
    const shown = name === 'ADJUST' ? amount : Math.abs(amount);
    const isKnown = sourceType === 'REDEMPTION' || sourceType === 'POINT_ENTRY';
    const interventions = useInterventions(entry);
    return (
      <Line
        moment={entry.happenedAt}
        links={[
          isKnown && t(`sources.${sourceType}`),
          sourceType === 'EARNED_REWARD' && <RewardSource key="source" accountId={accountId} id={sourceId} />,
          ...interventions,
          interventions.length === 0 && reason !== undefined && quoted(reason),
        ]}
      >
        {t(`points.${name}`, { amount: shown, balance: balanceAfter })}
      </Line>
    );
  },

  chest({ entry, value }) {
    const t = useTranslations('timeline');
    const format = useFormatter();
    const { name, roll, openedAt } = value;
    const text =
      roll === undefined || openedAt === undefined
        ? t('chestClosed', { chest: name })
        : t('chestOpened', {
            chest: name,
            draw: roll.draw,
            last: roll.totalWeight - 1,
            at: format.dateTime(timestampDate(openedAt), 'moment'),
          });
    return (
      <Line
        moment={entry.happenedAt}
        links={[
          <NameLink key="chest" kind="chest" id={value.chestId} />,
          <Drawn key="drawn" chest={value} />,
          ...useInterventions(entry),
        ]}
      >
        {text}
      </Line>
    );
  },

  redemption({ entry, value: { source, quantity, product, pointsSpent, status } }) {
    const t = useTranslations('timeline');
    const words = { quantity, product: product?.name ?? '', points: pointsSpent };
    return (
      <Line
        moment={entry.happenedAt}
        links={[product && <NameLink key="product" kind="product" id={product.id} />, ...useInterventions(entry)]}
      >
        {t(`redemptions.${enumName(Redemption_Source, source)}`, words)}{' '}
        {status === Redemption_Status.CANCELLED && <Badge color="gray">{t('cancelled')}</Badge>}
      </Line>
    );
  },

  reservation({ entry, value: { publicationId, quantity, status, expiresAt } }) {
    const t = useTranslations('timeline');
    const format = useFormatter();
    const publication = useName('publication', publicationId);
    const at = expiresAt ? format.dateTime(timestampDate(expiresAt), 'moment') : '';
    return (
      <Line
        moment={entry.happenedAt}
        links={[<NameLink key="publication" kind="publication" id={publicationId} />, ...useInterventions(entry)]}
      >
        {t(`reservations.${enumName(Reservation_Status, status)}`, { quantity, publication, at })}
      </Line>
    );
  },

  streakFreeze({ entry, value: { type, amount, missionName, periodKey = '', milestone = 0, points = 0 } }) {
    const t = useTranslations('timeline');
    const nameOf = usePeriodName();
    const mission = missionName ?? t('someMission');
    const words = { count: Math.abs(amount), mission, period: nameOf(periodKey), milestone, points };
    return (
      <Line moment={entry.happenedAt} links={useInterventions(entry)}>
        {t(`freezes.${enumName(StreakFreezeEntry_Type, type)}`, words)}
      </Line>
    );
  },

  vacation({ entry, value: { since, until } }) {
    const t = useTranslations('timeline');
    const nameOf = usePeriodName();
    const last = dayBefore(until);
    const days = last === since ? 1 : 2;
    return (
      <Line moment={entry.happenedAt} links={[]}>
        {t('vacation', { days, first: nameOf(since), last: nameOf(last) })}
      </Line>
    );
  },

  league({ entry, value: { name, periodKey, place } }) {
    const t = useTranslations('timeline');
    const nameOf = usePeriodName();
    const { group = 0, rank = 0, leagueName: league = '', outcome = LeaderboardPlace_Outcome.KEPT } = place ?? {};
    const words = { leaderboard: name, period: nameOf(periodKey), league, group, rank };
    return (
      <Line moment={entry.happenedAt} links={[]}>
        {t(`leagues.${enumName(LeaderboardPlace_Outcome, outcome)}`, words)}
      </Line>
    );
  },

  change({ entry, value: { actorName, operation, note } }) {
    const t = useTranslations('timeline');
    const quoted = useQuotedNote();
    const { operationInWords } = useAuditWords();
    return (
      <Line moment={entry.happenedAt} links={[note !== undefined && note !== '' && quoted(note)]}>
        {t('by', { actor: actorName, operation: operationInWords(operation) })}
      </Line>
    );
  },
};

function CampaignLink({ id, name }: { readonly id: string | undefined; readonly name: string | undefined }) {
  if (id === undefined || name === undefined || name === '') return null;
  return (
    <Anchor component={Link} to={`/campaigns/${id}`} inherit>
      {name}
    </Anchor>
  );
}

/** The operator behind the entry, and the reason. */
function useInterventions({ interventions }: TimelineEntry): string[] {
  const t = useTranslations('timeline');
  const { operationInWords } = useAuditWords();
  const quoted = useQuotedNote();
  return interventions.map(({ actorName, operation, note }) => {
    const by = t('by', { actor: actorName, operation: operationInWords(operation) });
    return note === undefined ? by : `${by} ${quoted(note)}`;
  });
}

/** The content of an opened chest, with its odds. */
function Drawn({ chest: { roll } }: { readonly chest: Chest }) {
  const t = useTranslations('timeline');
  if (roll === undefined) return null;
  const inIt = roll.entries.filter(({ drawn }) => drawn);
  if (inIt.length === 0) return t('nothingDrawn');
  return inIt.map(({ rewardId, guaranteed, weight }, index) => (
    <DrawnReward
      key={`${rewardId} ${index}`}
      rewardId={rewardId}
      chance={guaranteed ? undefined : weight / roll.totalWeight}
    />
  ));
}

function DrawnReward({ rewardId, chance }: { readonly rewardId: string; readonly chance: number | undefined }) {
  const t = useTranslations('timeline');
  const format = useFormatter();
  const reward = useName('reward', rewardId);
  if (chance === undefined) return <span>{t('guaranteed', { reward })}</span>;
  const percent = format.number(chance, { style: 'percent', maximumFractionDigits: 2 });
  return <span>{t('drawn', { chance: percent, reward })}</span>;
}
