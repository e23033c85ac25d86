import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Input,
  NativeSelect,
  NumberInput,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { type AttributeEntry, attributeTypeNames, emptyEntry, hasTexts } from './attribute-entries.ts';
import classes from './attributes.module.css';

/** As many attributes as the service takes. */
const MOST_ATTRIBUTES = 32;

/** As many letters as an allowed value may have. */
const LONGEST_VALUE = 255;

/** As many values as one attribute may be limited to. */
const MOST_VALUES = 100;

/** A form with declared attributes; it may have further fields. */
type AttributesForm = UseFormReturnType<{ attributes: AttributeEntry[] }>;

/** The owner of the attributes. Accounts exist without them, so none of theirs is required. */
type Holder = 'event' | 'account';

type RowProps = { readonly form: AttributesForm; readonly index: number; readonly holder: Holder };

/** The declared attributes of a form, a row for each; rows can be added and removed. */
export function AttributeFields<Values extends { attributes: AttributeEntry[] }>(props: {
  readonly form: UseFormReturnType<Values>;
  readonly holder: Holder;
}) {
  const t = useTranslations('attributes');
  // The rows touch `attributes` only.
  const form = props.form as unknown as AttributesForm;
  const { attributes } = form.values;
  return (
    <Stack gap="sm" role="group" aria-label={t('title')}>
      <div>
        {/* The dialog of accounts has nothing else, so its own title says it. */}
        {props.holder === 'event' && <Input.Label component="div">{t('title')}</Input.Label>}
        <Text size="xs" c="dimmed">
          {t(`hints.${props.holder}`)}
        </Text>
      </div>
      {attributes.map((attribute, index) => (
        <AttributeRow key={attribute.key} form={form} index={index} holder={props.holder} />
      ))}
      <Button
        variant="light"
        leftSection={<Plus size={16} aria-hidden />}
        disabled={attributes.length >= MOST_ATTRIBUTES}
        onClick={() => form.insertListItem('attributes', emptyEntry())}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('add')}
      </Button>
    </Stack>
  );
}

function AttributeRow({ form, index, holder }: RowProps) {
  const t = useTranslations('attributes');
  const entry = form.values.attributes[index];
  if (entry === undefined) return null;
  const number = index + 1;
  const path = `attributes.${index}` as const;
  return (
    <div className={classes['row']} role="group" aria-label={t('attribute', { number })}>
      <TextInput
        label={t('name')}
        withAsterisk
        spellCheck={false}
        autoComplete="off"
        className={classes['name'] ?? ''}
        {...form.getInputProps(`${path}.name`)}
      />
      <NativeSelect
        label={t('type')}
        className={classes['type'] ?? ''}
        data={attributeTypeNames.map((value) => ({ value, label: t(`types.${value}`) }))}
        {...form.getInputProps(`${path}.type`)}
      />
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        className={classes['remove'] ?? ''}
        aria-label={t('remove', { number })}
        onClick={() => form.removeListItem('attributes', index)}
      >
        <Trash2 size={16} />
      </ActionIcon>
      {hasTexts(entry.type) && (
        <TagsInput
          label={t('allowedValues')}
          description={t('allowedValuesHint')}
          className={classes['wide'] ?? ''}
          maxLength={LONGEST_VALUE}
          maxTags={MOST_VALUES}
          acceptValueOnBlur
          {...form.getInputProps(`${path}.allowedValues`)}
        />
      )}
      {entry.type === 'NUMBER' && (
        <Group grow className={classes['wide'] ?? ''} align="flex-start">
          <NumberInput label={t('min')} decimalScale={4} {...form.getInputProps(`${path}.min`)} />
          <NumberInput label={t('max')} decimalScale={4} {...form.getInputProps(`${path}.max`)} />
        </Group>
      )}
      <TextInput
        label={t('description')}
        className={classes['wide'] ?? ''}
        {...form.getInputProps(`${path}.description`)}
      />
      <Group className={classes['wide'] ?? ''} gap="8px 32px" align="flex-start">
        {holder === 'event' && (
          <Checkbox
            label={t('required')}
            description={t('requiredHint')}
            {...form.getInputProps(`${path}.required`, { type: 'checkbox' })}
          />
        )}
        <Checkbox
          label={t('personal')}
          description={t(`personalHints.${holder}`)}
          {...form.getInputProps(`${path}.personal`, { type: 'checkbox' })}
        />
      </Group>
    </div>
  );
}
