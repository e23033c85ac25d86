import { Badge, Box, Group, Image, Paper, Progress, Stack, Text, ThemeIcon } from '@mantine/core';
import { Gift } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { type MissionTypeName, missionTypes, type PeriodName } from '../mission-types.ts';

/** The preview of a mission as a feed item. */
export type FeedItemContent = {
  readonly type: MissionTypeName;
  readonly name: string;
  readonly description: string;
  readonly imageUrl: string;
  readonly target: number | '';
  readonly period: PeriodName;
  readonly rewards: readonly string[];
};

/** A mission as an integrator's app might show it in an account's feed, some of the way to its target. */
export function FeedItemPreview({ item }: { readonly item: FeedItemContent }) {
  const t = useTranslations('campaigns');
  const format = useFormatter();
  const { icon: Icon, isTargetInPeriods } = missionTypes[item.type];
  const target = item.target === '' ? 1 : item.target;
  const progress = target <= 1 ? 0 : Math.max(1, Math.floor(target * 0.4));
  return (
    <Paper withBorder radius="lg" p="md" bg="var(--laurel-surface)">
      <Group align="flex-start" wrap="nowrap" gap="md">
        {item.imageUrl === '' ? (
          <ThemeIcon size={44} radius="md" variant="light">
            <Icon size={22} aria-hidden />
          </ThemeIcon>
        ) : (
          <Image src={item.imageUrl} w={44} h={44} radius="md" alt="" />
        )}
        <Stack gap={6} flex={1} miw={0}>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text fw={600} size="sm" truncate c={item.name === '' ? 'dimmed' : undefined}>
              {item.name === '' ? t('unnamed') : item.name}
            </Text>
            <Badge size="sm" color="gray">
              {t(`types.${item.type}`)}
            </Badge>
          </Group>
          {item.description !== '' && (
            <Text size="xs" c="dimmed" lineClamp={2}>
              {item.description}
            </Text>
          )}
          <Progress value={(100 * progress) / target} size="sm" aria-label={t('progress')} />
          <Group justify="space-between" gap="xs">
            <Text size="xs" c="dimmed" className="laurel-number">
              {format.number(progress, 'amount')} / {format.number(target, 'amount')}
              {isTargetInPeriods && ` ${t(`periodsOf.${item.period}`, { count: target })}`}
            </Text>
            {item.rewards.length > 0 && (
              <Box component="span" fz="xs" c="var(--mantine-color-anchor)">
                <Gift size={12} aria-hidden style={{ verticalAlign: '-2px', marginInlineEnd: 4 }} />
                {item.rewards.join(', ')}
              </Box>
            )}
          </Group>
        </Stack>
      </Group>
    </Paper>
  );
}
