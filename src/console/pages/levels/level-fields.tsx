import { ActionIcon, Button, Input, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { ReferenceMultiSelect } from '../../form/reference-select.tsx';
import { rewards } from '../../form/references.ts';
import classes from './levels.module.css';
import { emptyLevel, type LevelTrackValues } from './level-values.ts';

/** As many levels as a track may have. */
const MOST_LEVELS = 100;

/** As many rewards as a level may give. */
const MOST_REWARDS = 10;

type Props = { readonly form: UseFormReturnType<LevelTrackValues> };

/** The levels of a track, lowest first, a card for each. */
export function LevelFields({ form }: Props) {
  const t = useTranslations('levels');
  const { levels } = form.values;
  return (
    <Stack gap="sm" role="group" aria-label={t('levels')}>
      <div>
        <Input.Label component="div">{t('levels')}</Input.Label>
        <Text size="xs" c="dimmed">
          {t('levelsHint')}
        </Text>
      </div>
      {levels.map(({ key }, index) => (
        <LevelFieldsOf key={key} form={form} index={index} />
      ))}
      <Button
        variant="light"
        leftSection={<Plus size={16} aria-hidden />}
        disabled={levels.length >= MOST_LEVELS}
        onClick={() => form.insertListItem('levels', emptyLevel())}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('addLevel')}
      </Button>
    </Stack>
  );
}

function LevelFieldsOf({ form, index }: Props & { readonly index: number }) {
  const t = useTranslations('levels');
  const level = form.values.levels[index];
  if (level === undefined) return null;
  const number = index + 1;
  const path = `levels.${index}` as const;
  return (
    <div className={classes['level']} role="group" aria-label={t('level', { number: String(number) })}>
      <TextInput
        label={t('levelCode')}
        withAsterisk
        spellCheck={false}
        autoComplete="off"
        {...form.getInputProps(`${path}.code`)}
      />
      <TextInput label={t('name')} className={classes['name'] ?? ''} {...form.getInputProps(`${path}.name`)} />
      <NumberInput
        label={t('threshold')}
        withAsterisk
        decimalScale={4}
        className={classes['threshold'] ?? ''}
        {...form.getInputProps(`${path}.threshold`)}
      />
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        className={classes['remove'] ?? ''}
        aria-label={t('removeLevel', { number: String(number) })}
        disabled={form.values.levels.length === 1}
        onClick={() => form.removeListItem('levels', index)}
      >
        <Trash2 size={16} />
      </ActionIcon>
      <SimpleGrid cols={{ base: 1, sm: 2 }} className={classes['wide'] ?? ''}>
        <ReferenceMultiSelect
          of={rewards}
          label={t('rewards')}
          maxValues={MOST_REWARDS}
          {...form.getInputProps(`${path}.rewardIds`)}
          value={level.rewardIds}
        />
        <TextInput
          label={t('imageUrl')}
          placeholder="https://"
          spellCheck={false}
          {...form.getInputProps(`${path}.imageUrl`)}
        />
      </SimpleGrid>
    </div>
  );
}
