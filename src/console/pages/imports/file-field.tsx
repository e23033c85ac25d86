import '@mantine/dropzone/styles.css';
import { Input, List, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { FileCheck2, FileUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useBytes } from './use-bytes.ts';

/** The service's bound, in bytes. */
const LARGEST = 4_294_967_296;

/** The accepted types: spreadsheets, browsers and systems use different ones for CSV files. */
const accepted = {
  'text/csv': ['.csv'],
  'text/plain': ['.csv', '.txt'],
  'text/tab-separated-values': ['.tsv'],
  'application/vnd.ms-excel': ['.csv'],
};

/** Takes one CSV file: dropped, or chosen by mouse or keyboard. */
export function FileField(props: {
  readonly label: string;
  readonly file: File | undefined;
  readonly onFile: (file: File) => void;
  readonly error?: ReactNode;
  /** The notes about the columns. */
  readonly children?: ReactNode;
}) {
  const t = useTranslations('imports');
  const bytes = useBytes();
  const [refused, setRefused] = useState(false);
  const { file } = props;
  const Icon = file === undefined ? FileUp : FileCheck2;
  return (
    <Input.Wrapper label={props.label} withAsterisk error={refused ? t('refusedFile') : props.error}>
      <Dropzone
        onDrop={([dropped]) => {
          setRefused(false);
          if (dropped !== undefined) props.onFile(dropped);
        }}
        onReject={() => setRefused(true)}
        accept={accepted}
        maxFiles={1}
        multiple={false}
        maxSize={LARGEST}
        inputProps={{ 'aria-label': props.label }}
        my={4}
        py="lg"
      >
        <Stack align="center" gap={6}>
          <Icon size={28} strokeWidth={1.5} aria-hidden color="var(--laurel-quiet)" />
          <Text size="sm" fw={550} ta="center" style={{ overflowWrap: 'anywhere' }}>
            {file?.name ?? t('drop')}
          </Text>
          <Text size="xs" c="dimmed" ta="center">
            {file === undefined ? t('dropHint') : `${bytes(file.size)} · ${t('otherFile')}`}
          </Text>
        </Stack>
      </Dropzone>
      {props.children}
    </Input.Wrapper>
  );
}

/** A column that the service reads, its content in words, and whether it must be there. */
export type KnownColumn = { readonly name: string; readonly hint: string; readonly required?: boolean };

/** The columns that the service reads, with a mark for those in the file. */
export function ColumnList(props: {
  readonly known: readonly KnownColumn[];
  readonly found: readonly string[] | undefined;
  readonly passedOver: readonly string[];
}) {
  const t = useTranslations('imports');
  return (
    <Stack gap={4} my="xs">
      <List size="sm" spacing={2}>
        {props.known.map(({ name, hint, required }) => (
          <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
            <Text span size="sm" fw={550} c={props.found?.includes(name) === true ? 'laurel' : 'dimmed'}>
              {name}
            </Text>{' '}
            <Text span size="sm" c="dimmed">
              {hint}
              {required === true && ` ${t('requiredColumn')}`}
              {props.found?.includes(name) === true && ` ✓`}
            </Text>
          </List.Item>
        ))}
      </List>
      {props.passedOver.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('passedOver', { columns: props.passedOver.slice(0, 10).join(', ') })}
        </Text>
      )}
    </Stack>
  );
}
