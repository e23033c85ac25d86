import { Button, Card, Group, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { ApiForm } from '../../form/api-form.tsx';
import type { Overtaken } from '../../form/form-failure.tsx';
import { UnsavedChanges } from '../../form/unsaved-changes.tsx';
import type { ApiForm as Form } from '../../form/use-api-form.ts';
import { ChestEntry } from './chest-entry.tsx';
import { ChestOdds } from './chest-odds.tsx';
import { chancesOf, type ChestValues, emptyEntry } from './chest-values.ts';

/** As many contents as a chest may have. */
const MOST_ENTRIES = 100;

/** The fields of a chest, with the odds that follow from the weights while they are typed. */
export function ChestEditor<Values extends ChestValues>(
  props: Overtaken<Values> & {
    readonly form: Form<Values>;
    readonly submit: string;
    readonly onCancel?: () => void;
    /** Archived: shown, not changed. */
    readonly locked?: boolean;
  },
) {
  const t = useTranslations('rewards');
  const format = useFormatter();
  // The editor touches the fields of ChestValues only; a page may keep more in its form.
  const form = props.form as unknown as Form<ChestValues>;
  const { getInputProps, values } = form.form;
  const locked = props.locked === true;
  const chances = chancesOf(values);
  const fields = (
    <>
      <TextInput label={t('name')} withAsterisk disabled={locked} maw={480} {...getInputProps('name')} />
      <Stack gap="xs">
        <Title order={2}>{t('contents')}</Title>
        <Text size="sm" c="dimmed">
          {t('weightsHint')}
        </Text>
      </Stack>
      <Stack gap="sm">
        {values.entries.map((entry, index) => (
          <ChestEntry
            key={entry.key}
            form={form.form}
            index={index}
            chance={chances.entries[index] ?? 0}
            locked={locked}
          />
        ))}
        {!locked && (
          <Button
            variant="light"
            leftSection={<Plus size={16} aria-hidden />}
            disabled={values.entries.length >= MOST_ENTRIES}
            onClick={() => form.form.insertListItem('entries', emptyEntry())}
            style={{ alignSelf: 'flex-start' }}
          >
            {t('addEntry')}
          </Button>
        )}
      </Stack>
      <Group align="flex-end" gap="md">
        <NumberInput
          label={t('nothingWeight')}
          description={t('nothingHint')}
          placeholder="0"
          allowDecimal={false}
          disabled={locked}
          w={{ base: '100%', xs: 300 }}
          {...getInputProps('nothing')}
        />
        <Text size="sm" fw={550} className="laurel-number" pb={8}>
          {format.number(chances.nothing, { style: 'percent', maximumFractionDigits: 2 })}
        </Text>
      </Group>
      <ChestOdds values={values} />
    </>
  );
  return (
    <Card>
      {locked ? (
        <Stack gap="md">{fields}</Stack>
      ) : (
        <ApiForm {...props} form={form}>
          {fields}
        </ApiForm>
      )}
      <UnsavedChanges when={form.form.isDirty() && !form.pending} />
    </Card>
  );
}
