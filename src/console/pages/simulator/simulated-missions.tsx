import { Anchor, Badge, Card, Group, Progress, Stack, Text } from '@mantine/core';
import { CircleCheck, CircleSlash, PartyPopper } from 'lucide-react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { Assignment_Status, type ProgressedMission } from '../../../../gen/laurel/v1/assignment_pb.ts';
import type { SimulatedMission } from '../../../../gen/laurel/v1/trigger_pb.ts';
import { Uncounted_Reason as Reason } from '../../../../gen/laurel/v1/uncounted_pb.ts';
import { uncountedReasons } from '../../../../gen/uncounted-reasons.ts';
import { enumName } from '../../api/enum-name.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { useStoredWords } from '../../language/use-service-words.ts';
import { SimulatedClosing, SimulatedRewards } from './simulated-rewards.tsx';
import { SimulatedWebhooks } from './simulated-webhooks.tsx';

/** The effect on each mission that counts the event, or the reason for none. Currently unavailable missions are folded. */
export function SimulatedMissions({ missions }: { readonly missions: readonly SimulatedMission[] }) {
  const t = useTranslations('simulator');
  if (missions.length === 0) {
    return (
      <Card p={0}>
        <EmptyState title={t('noMission')} hint={t('noMissionHint')} />
      </Card>
    );
  }
  const { played = [], idle = [] } = Object.groupBy(missions, ({ uncountedReason }) =>
    uncountedReason === Reason.CAMPAIGN_NOT_ACTIVE ? 'idle' : 'played',
  );
  return (
    <>
      {played.map((mission) => (
        <MissionCard key={mission.missionId} mission={mission} />
      ))}
      {idle.length > 0 && (
        <details>
          <Text component="summary" size="sm" c="dimmed">
            {t('idle', { count: idle.length })}
          </Text>
          <Stack gap="md" mt="md">
            {idle.map((mission) => (
              <MissionCard key={mission.missionId} mission={mission} />
            ))}
          </Stack>
        </details>
      )}
    </>
  );
}

function MissionCard({ mission }: { readonly mission: SimulatedMission }) {
  return (
    <Card padding="md">
      {mission.progress ? <Happens mission={mission} progress={mission.progress} /> : <Nothing mission={mission} />}
    </Card>
  );
}

/** The mission, and the way to its campaign. */
function Heading({ mission: { name, campaignId, campaignName } }: { readonly mission: SimulatedMission }) {
  return (
    <div>
      <Text fw={600}>{name}</Text>
      {campaignId !== undefined && (
        <Anchor component={Link} to={`/campaigns/${campaignId}`} size="sm">
          {campaignName}
        </Anchor>
      )}
    </div>
  );
}

function Happens(props: { readonly mission: SimulatedMission; readonly progress: ProgressedMission }) {
  const { rewards, skippedRewards, closing, webhooks } = props.mission;
  const mission = props.progress;
  const t = useTranslations('simulator');
  const completes = mission.status === Assignment_Status.COMPLETED;
  // An endless streak has no target, so its bar is full.
  const target = mission.target === 0 ? mission.progress : mission.target;
  const before = (100 * mission.previousProgress) / target;
  return (
    <Group wrap="nowrap" align="flex-start" gap="md">
      <Text c="var(--mantine-color-anchor)" component="span" lh={0}>
        {completes ? <PartyPopper size={20} aria-hidden /> : <CircleCheck size={20} aria-hidden />}
      </Text>
      <Stack gap={6} flex={1}>
        <Group justify="space-between" gap="xs">
          <Heading mission={props.mission} />
          <Badge>{completes ? t('completes') : t('progresses')}</Badge>
        </Group>
        <Progress.Root size="md">
          <Progress.Section value={before} opacity={0.4} aria-label={t('before')} />
          <Progress.Section value={(100 * mission.progress) / target - before} aria-label={t('after')} />
        </Progress.Root>
        <Text size="sm" c="dimmed" className="laurel-number">
          {t('change', {
            before: mission.previousProgress,
            after: mission.progress,
            target: mission.target,
          })}
        </Text>
        <SimulatedRewards rewards={rewards} skippedRewards={skippedRewards} />
        {closing && <SimulatedClosing closing={closing} />}
        <SimulatedWebhooks webhooks={webhooks} />
      </Stack>
    </Group>
  );
}

function Nothing({ mission }: { readonly mission: SimulatedMission }) {
  const t = useTranslations();
  const words = useStoredWords();
  const { uncountedReason, explanation } = mission;
  const reason = uncountedReason === undefined ? undefined : enumName(Reason, uncountedReason);
  const detail = reason && detailOf(explanation, uncountedReasons[reason]);
  return (
    <Group wrap="nowrap" align="flex-start" gap="md">
      <Text c="dimmed" component="span" lh={0}>
        <CircleSlash size={20} aria-hidden />
      </Text>
      <Stack gap={4} flex={1}>
        <Group justify="space-between" gap="xs">
          <Heading mission={mission} />
          <Badge color="gray">{reason === undefined ? t('simulator.nothing') : t(`uncounted.titles.${reason}`)}</Badge>
        </Group>
        <Text size="sm" c="dimmed">
          {reason === undefined ? explanation : t(`uncounted.hints.${reason}`)}
        </Text>
        {detail !== undefined && <Text size="sm">{words(detail)}</Text>}
      </Stack>
    </Group>
  );
}

/** The part of an explanation behind the sentence of its reason: the values that did not fit. Undefined if it has none. */
function detailOf(explanation: string, sentence: string): string | undefined {
  const detail = explanation.startsWith(`${sentence} `) ? explanation.slice(sentence.length + 1).trim() : '';
  return detail === '' ? undefined : detail.replace(/\.$/, '');
}
