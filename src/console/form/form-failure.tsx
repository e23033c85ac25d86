import { Button, ScrollArea, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { failureOf } from '../api/failure.ts';
import { DifferenceTable } from '../differences/difference-table.tsx';
import { differencesOf } from '../differences/differences.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import type { ApiForm } from './use-api-form.ts';

/** The handling of a conflict, after another user has saved the same resource meanwhile. */
export type Overtaken<Values> = {
  /** Returns the stored state in the form's shape; then both versions are shown side by side. */
  readonly readStored?: (() => Promise<Values>) | undefined;
  /** Reads the resource again, and drops the input. */
  readonly onReadAgain?: (() => void) | undefined;
};

/** The service's refusal of a form as a whole. It appears beside the pressed button, and gets the focus. */
export function FormFailure<Values>({
  form,
  readStored,
  onReadAgain,
}: Overtaken<Values> & { readonly form: ApiForm<Values> }) {
  const t = useTranslations('form');
  const element = useRef<HTMLDivElement>(null);
  const { failure } = form;
  useEffect(() => {
    if (failure !== undefined) element.current?.focus();
  }, [failure]);
  if (failure === undefined) return null;
  const isOvertaken = failureOf(failure).code === 'VERSION_CONFLICT';
  return (
    <Stack gap="xs" align="flex-start" ref={element} tabIndex={-1}>
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

/** The differences between the stored state and the input, field by field. */
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
