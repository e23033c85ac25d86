import { ColorSwatch, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { useName } from '../../names/use-name.ts';
import { chancesOf, type ChestValues } from './chest-values.ts';

/** Colours that are distinct in both colour schemes and with red-green blindness; further rewards share the last one. */
const colours = ['laurel.6', 'blue.6', 'yellow.6', 'grape.6', 'cyan.6', 'orange.6', 'indigo.6', 'pink.6'];

/** The odds of a chest, as a bar and in percent: the draw, and the guaranteed entries. */
export function ChestOdds({ values }: { readonly values: ChestValues }) {
  const t = useTranslations('rewards');
  const chances = chancesOf(values);
  const drawn = values.entries
    .map((entry, index) => ({ ...entry, chance: chances.entries[index] ?? 0 }))
    .filter(({ guaranteed, chance }) => !guaranteed && chance > 0);
  const parts = [
    ...drawn.map(({ key, rewardId, chance }, index) => ({ key, rewardId, chance, colour: colourOf(index) })),
    ...(chances.nothing > 0
      ? [{ key: 'nothing', rewardId: undefined, chance: chances.nothing, colour: 'gray.5' }]
      : []),
  ];
  if (parts.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label={t('odds')}>
      <Title order={3}>{t('odds')}</Title>
      <Progress.Root size={18} radius="sm" aria-hidden>
        {parts.map(({ key, chance, colour }) => (
          <Progress.Section key={key} value={chance * 100} color={colour} />
        ))}
      </Progress.Root>
      <Group gap="lg">
        {parts.map(({ key, ...part }) => (
          <Odd key={key} {...part} />
        ))}
      </Group>
    </Stack>
  );
}

function Odd(props: { readonly rewardId: string | undefined; readonly chance: number; readonly colour: string }) {
  const t = useTranslations('rewards');
  const format = useFormatter();
  const name = useName('reward', props.rewardId ?? '');
  return (
    <Group gap={6} wrap="nowrap">
      <ColorSwatch size={10} color={`var(--mantine-color-${props.colour.replace('.', '-')})`} withShadow={false} />
      <Text size="sm">
        {props.rewardId === undefined ? t('nothing') : props.rewardId === '' ? t('notChosen') : name}
      </Text>
      <Text size="sm" c="dimmed" className="laurel-number">
        {format.number(props.chance, { style: 'percent', maximumFractionDigits: 2 })}
      </Text>
    </Group>
  );
}

function colourOf(index: number): string {
  return colours[Math.min(index, colours.length - 1)] ?? 'gray.6';
}
