import { useQuery } from '@connectrpc/connect-query';
import { Alert, Menu, NumberInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountAdminService } from '../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { type Assignment, Assignment_Status } from '../../../../gen/laurel/v1/assignment_pb.ts';
import { failureOf, failureOfQuery } from '../../api/failure.ts';
import { newOperationId } from '../../api/operation-id.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReasonField } from '../../form/reason-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { useServiceWords } from '../../language/use-service-words.ts';
import { RowMenu } from '../../table/row-menu.tsx';
import { missionTypeName, missionTypes } from '../campaigns/mission-types.ts';

const method = AccountAdminService.method.restoreStreak;

/** The menu of a streak in progress; nothing for another mission. */
export function StreakMenu({ accountId, assignment }: { readonly accountId: string; readonly assignment: Assignment }) {
  const t = useTranslations('support.restore');
  const [restoring, { open, close }] = useDisclosure(false);
  const { type, status, name } = assignment;
  if (!missionTypes[missionTypeName(type)].isTargetInPeriods || status !== Assignment_Status.ACTIVE) return null;
  return (
    <>
      <RowMenu label={t('menu', { name })}>
        <Menu.Item leftSection={<RotateCcw size={15} />} onClick={open}>
          {t('name')}
        </Menu.Item>
      </RowMenu>
      {restoring && <RestoreStreak accountId={accountId} assignment={assignment} onClose={close} />}
    </>
  );
}

type Values = { length: number | ''; reason: string };

/** Restores a run of a streak, after a rehearsal that says what it becomes. */
function RestoreStreak(props: {
  readonly accountId: string;
  readonly assignment: Assignment;
  readonly onClose: () => void;
}) {
  const t = useTranslations('support.restore');
  // The table behind the dialog may be refreshed.
  const [{ missionId, name }] = useState(props.assignment);
  // One for this dialog: a second press, or a try after a lost answer, restores once.
  const [operationId] = useState(newOperationId);
  const { accountId } = props;
  const form = useApiForm({
    method,
    initialValues: { length: '', reason: '' },
    request: ({ length, reason }: Values) => {
      return { accountId, missionId, length: length === '' ? undefined : length, reason, operationId };
    },
    onDone({ current }) {
      notifyDone(t('done', { name, current }));
      props.onClose();
    },
  });
  const { getInputProps, values } = form.form;
  const effect = useEffectOf({ accountId, missionId, length: values.length === '' ? undefined : values.length });
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('title', { name })}>
      <ApiForm form={form} submit={t('submit')} onCancel={props.onClose}>
        <NumberInput
          label={t('length')}
          description={t('lengthHint')}
          allowDecimal={false}
          allowNegative={false}
          data-autofocus
          {...getInputProps('length')}
        />
        <Alert color={effect.isRefused ? 'yellow' : 'blue'} role="status">
          {effect.text}
        </Alert>
        <ReasonField {...getInputProps('reason')} />
      </ApiForm>
    </FormDialog>
  );
}

/** The effect of a restore, as a sentence, before it is done. */
function useEffectOf(input: {
  readonly accountId: string;
  readonly missionId: string;
  readonly length: number | undefined;
}): { readonly text: string; readonly isRefused: boolean } {
  const t = useTranslations('support.restore');
  const words = useServiceWords();
  const [length] = useDebouncedValue(input.length, 300);
  // A rehearsal is rolled back, so it may be asked like a read; the answer of a minute ago may be wrong by now.
  const query = useQuery(method, { ...input, length, reason: 'Rehearsal', dryRun: true }, { gcTime: 0, retry: false });
  const failure = failureOfQuery(query);
  if (failure !== null) return { text: words(failureOf(failure)), isRefused: true };
  const { data } = query;
  if (data === undefined) return { text: t('pending'), isRefused: false };
  return { text: t('effect', { previous: data.previous, current: data.current }), isRefused: false };
}
