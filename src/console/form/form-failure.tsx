import { Button, ScrollArea, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { failureOf } from '../api/failure.ts';
import { DifferenceTable } from '../differences/difference-table.tsx';
import { differencesOf } from '../differences/differences.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import type { ApiForm } from './use-api-form.ts';

/** The way out where somebody else has saved the same thing meanwhile. */
export type Overtaken<Values> = {
  /** Gives what is stored now, as the form would hold it; both versions are then shown side by side. */
  readonly readStored?: (() => Promise<Values>) | undefined;
  /** Reads again what is being changed, and drops what was entered. */
  readonly onReadAgain?: (() => void) | undefined;
};

/** Why the service refused a form as a whole. It stands beside the button that was pressed, and takes the focus. */
export function FormFailure<Values>({
  form,
  readStored,
  onReadAgain,
}: Overtaken<Values> & { readonly form: ApiForm<Values> }) {
  const t = useTranslations('form');
  const place = useRef<HTMLDivElement>(null);
  const { failure } = form;
  useEffect(() => {
    if (failure !== undefined) place.current?.focus();
  }, [failure]);
  if (failure === undefined) return null;
  const isOvertaken = failureOf(failure).code === 'VERSION_CONFLICT';
  return (
    <Stack gap="xs" align="flex-start" ref={place} tabIndex={-1}>
      <FailureAlert error={failure} />
      {isOvertaken && readStored && <BothVersions form={form} readStored={readStored} />}
      {isOvertaken && onReadAgain && (
        <Button variant="default" onClick={onReadAgain}>
          {t('readAgain')}
        </Button>
      )}
    </Stack>
  );
}

/** Where what is stored differs from what was entered, field by field. */
function BothVersions<Values>({
  form,
  readStored,
}: {
  readonly form: ApiForm<Values>;
  readonly readStored: () => Promise<Values>;
}) {
  const t = useTranslations('form');
  const { data } = useQuery({ queryKey: ['stored beside', form.failure], queryFn: readStored, gcTime: 0 });
  if (data === undefined) return null;
  const differences = differencesOf(form.requestOf(data), form.requestOf(form.form.values));
  if (differences.length === 0) return null;
  return (
    <ScrollArea.Autosize mah="35vh" w="100%" viewportProps={{ tabIndex: 0, 'aria-label': t('bothVersions') }}>
      <DifferenceTable differences={differences} before={t('storedNow')} after={t('yours')} />
    </ScrollArea.Autosize>
  );
}
