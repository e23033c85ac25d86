import { timestampDate, timestampMs } from '@bufbuild/protobuf/wkt';
import { Anchor, Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { type JournalEntry, JournalEntry_Effect as Effect } from '../../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { Uncounted_Reason as Reason } from '../../../../gen/laurel/v1/uncounted_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { useQuotedNote } from '../../language/use-note-words.ts';
import { useStoredWords } from '../../language/use-service-words.ts';
import { NameLink } from '../../names/name-link.tsx';
import { AttributeValues } from '../../attributes/attribute-values.tsx';
import { useSkippedWords } from '../rewards/skipped-words.ts';
import { Line } from './line.tsx';
import { usePeriodName } from './period-name.ts';
import { TakeBack } from './take-back.tsx';

/** The outcome of one event, as a sentence with links. */
export function EventLine(props: {
  readonly event: JournalEntry;
  readonly about?: ReactNode;
  /** The lines of what it caused. */
  readonly beneath?: readonly ReactNode[];
  /** The ids of earned rewards that have such a line. */
  readonly rewardsBeneath?: readonly string[];
}) {
  const { event, about, beneath, rewardsBeneath = [] } = props;
  const t = useTranslations('timeline');
  const value = useTranslations('attributes');
  const fields = useTranslations('fields');
  const format = useFormatter();
  const sentence = useEventSentence();
  const lost = useLostRuns();
  const recorded = useRecorded(event);
  const words = useStoredWords();
  const notEarned = useSkippedWords();
  const quoted = useQuotedNote();
  return (
    <Line
      moment={event.occurredAt ?? event.recordedAt}
      dimmed={event.effect === Effect.NOTHING}
      beneath={beneath}
      links={[
        about,
        recorded,
        event.explanation !== undefined && words(event.explanation),
        event.amount !== undefined &&
          value('value', { name: fields('amount'), value: format.number(event.amount, 'amount') }),
        event.attributes !== undefined && <AttributeValues key="attributes" values={event.attributes} />,
        ...[...campaignsOf(event)].map((id) => <NameLink key={id} kind="campaign" id={id} />),
        ...event.missions.map(({ missionId, name, previousProgress, progress, target }) => (
          <span key={missionId}>
            {t('progress', { mission: name || t('someMission'), before: previousProgress, after: progress, target })}
          </span>
        )),
        ...event.rewards
          .filter(({ earnedRewardId }) => !rewardsBeneath.includes(earnedRewardId))
          .map(({ earnedRewardId, name, amount, pending }) => (
            <span key={earnedRewardId}>
              {t(pending ? 'earnedPending' : 'earned', { reward: name || t('someReward'), amount })}
            </span>
          )),
        ...(event.reversal?.rewards ?? []).map(({ earnedRewardId, name, amountReversed, amountKept, debt = 0 }) => (
          <span key={earnedRewardId}>
            {t('reversedReward', {
              reward: name || t('someReward'),
              taken: amountReversed,
              kept: amountKept,
              debt,
            })}
          </span>
        )),
        event.reversal?.reason !== undefined && quoted(event.reversal.reason),
        ...event.skippedRewards.map((skipped) => (
          <span key={`${skipped.missionId} ${skipped.rewardId}`}>{notEarned(skipped)}</span>
        )),
        <TakeBack key="take back" event={event} />,
        event.effect === Effect.DEAD && (
          <Anchor key="dead" component={Link} to={`/dead-triggers?search=${event.deadTriggerId ?? ''}`} inherit>
            {t('deadTrigger')}
          </Anchor>
        ),
      ]}
    >
      <Code>{event.programmaticCode}</Code> {sentence(event)} {lost(event)}
    </Line>
  );
}

/** Milliseconds between an event and its recording from which both moments are shown. */
const LATE = 60_000;

/** The time of recording, if it is long after the event. */
function useRecorded({ occurredAt, recordedAt }: JournalEntry): string | undefined {
  const t = useTranslations('timeline');
  const format = useFormatter();
  if (occurredAt === undefined || recordedAt === undefined) return undefined;
  if (timestampMs(recordedAt) - timestampMs(occurredAt) < LATE) return undefined;
  return t('recorded', { at: format.dateTime(timestampDate(recordedAt), 'moment') });
}

/** The streak runs that were lost before an event, with the days between which the cause lies. */
function useLostRuns(): (event: JournalEntry) => string {
  const t = useTranslations('timeline');
  const nameOf = usePeriodName();
  return ({ missions }) =>
    missions
      .flatMap(({ name, lostRun }) => {
        if (lostRun === undefined) return [];
        const { periods, lastKept, period, timeZone } = lostRun;
        const days = { lastKept: nameOf(lastKept), period: nameOf(period) };
        return [t('lostRun', { mission: name || t('someMission'), periods, ...days, timeZone })];
      })
      .join(' ');
}

/** The campaigns in an event's outcome. */
function campaignsOf({ campaignId, campaigns, missions }: JournalEntry): Iterable<string> {
  const ids = [campaignId, ...campaigns.map((each) => each.campaignId), ...missions.map((each) => each.campaignId)];
  return new Set(ids.filter((id) => id !== undefined));
}

function useEventSentence(): (event: JournalEntry) => string {
  const t = useTranslations('timeline');
  const sentence = useTranslations('uncounted.sentences');
  const list = (names: readonly string[], absent: string) =>
    names.length === 0 ? absent : names.map((name) => name || absent).join(', ');
  return ({ effect, uncountedReason, missions, campaigns, ...event }) => {
    const completed = missions.filter((mission) => mission.completed);
    const namesOf = (some: typeof missions) =>
      list(
        some.map(({ name }) => name),
        t('someMission'),
      );
    switch (effect) {
      case Effect.PROGRESSED:
        return t('counted', { missions: namesOf(missions) });
      case Effect.COMPLETED:
        return t('completed', { missions: namesOf(completed) });
      case Effect.CAMPAIGN_COMPLETED:
        return t('campaignCompleted', {
          campaigns: list(
            campaigns.map(({ name }) => name),
            t('someCampaign'),
          ),
        });
      case Effect.DEAD:
        return t('dead', { error: event.errorCode ?? '' });
      case Effect.RESTORED: {
        const [streak] = missions;
        const lengths = { before: streak?.previousProgress ?? 0, after: streak?.progress ?? 0 };
        return t('restored', { mission: streak?.name || t('someMission'), ...lengths });
      }
      case Effect.TARGET_LOWERED: {
        const [mission] = missions;
        const amounts = { target: mission?.target ?? 0, progress: mission?.previousProgress ?? 0 };
        return t('targetLowered', { mission: mission?.name || t('someMission'), ...amounts });
      }
      case Effect.REVERSED: {
        const { journalEntryId, amount = 0 } = event.reversal ?? {};
        return journalEntryId === undefined ? t('withdrawn') : t('reversed', { amount });
      }
      default: {
        const mission = event.missionName ?? t('someMission');
        const campaign = event.campaignName ?? event.missionName ?? t('someCampaign');
        return sentence(enumName(Reason, uncountedReason ?? Reason.NO_MISSION), { mission, campaign });
      }
    }
  };
}
