import { Card, List, Stack, Text, Title } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { Backfill_Summary as Summary } from '../../../../gen/laurel/v1/trigger_pb.ts';

/** The effect of the events of an import, or of its rehearsal. */
export function EventSummary({ summary, isRehearsal }: { readonly summary: Summary; readonly isRehearsal: boolean }) {
  const t = useTranslations('imports.summary');
  const format = useFormatter();
  const { applied, counted, tooLate, missionsCompleted, campaignsCompleted, campaignsClaimable } = summary;
  const facts = [
    t('applied', { applied, counted }),
    tooLate > 0 && t('tooLate', { count: tooLate }),
    t('completed', { missions: missionsCompleted, campaigns: campaignsCompleted }),
    campaignsClaimable > 0 && t('claimable', { count: campaignsClaimable }),
    ...summary.rewards.map(({ name, earned, amount }) =>
      t('reward', { name, count: earned, amount: format.number(amount, 'amount') }),
    ),
    ...summary.skippedRewards.map(({ name, skipped }) => t('skipped', { name, count: skipped })),
  ].filter((text) => typeof text === 'string');
  return (
    <Card component="section" aria-labelledby="import-summary">
      <Stack gap="sm">
        <Title order={2} id="import-summary">
          {t(isRehearsal ? 'rehearsal' : 'title')}
        </Title>
        {isRehearsal && (
          <Text size="sm" c="dimmed">
            {t('rehearsalHint')}
          </Text>
        )}
        <List size="sm" spacing={4}>
          {facts.map((text) => (
            <List.Item key={text} style={{ overflowWrap: 'anywhere' }}>
              {text}
            </List.Item>
          ))}
        </List>
      </Stack>
    </Card>
  );
}
