import { NumberInput, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';

/** The values of the fields; an emptied number is a text. */
export type ClientValues = { name: string; timeZone: string; backfillDaysMax: number | string };

/** The request's part of the values. */
export function clientContent({ name, timeZone, backfillDaysMax }: ClientValues) {
  return { name, timeZone, backfillDaysMax: Number(backfillDaysMax) };
}

/** The fields of a client that people fill in. */
export function ClientFields(props: { readonly form: UseFormReturnType<ClientValues> }) {
  const t = useTranslations('clients');
  const { getInputProps, values } = props.form;
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <>
      <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
      <Select
        label={t('timeZone')}
        description={t('timeZoneHint')}
        // The browser leaves some out that the service knows, such as UTC.
        data={[...new Set(['UTC', values.timeZone, ...zones])].filter(Boolean)}
        searchable
        limit={100}
        allowDeselect={false}
        {...getInputProps('timeZone')}
      />
      <NumberInput
        label={t('backfillDaysMax')}
        description={t('backfillDaysMaxHint')}
        allowDecimal={false}
        allowNegative={false}
        {...getInputProps('backfillDaysMax')}
      />
    </>
  );
}
