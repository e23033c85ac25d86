import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslations } from 'use-intl';

/** The fields of a client that people fill in. */
export function ClientFields(props: { readonly form: UseFormReturnType<{ name: string; timeZone: string }> }) {
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
    </>
  );
}
