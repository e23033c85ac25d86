import type { MessageInitShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountMerge_Progress as Progress } from '../../../../gen/laurel/v1/account_merge_pb.ts';
import {
  AccountMergeService,
  type MergeAccountsRequestSchema,
} from '../../../../gen/laurel/v1/account_merge_service_pb.ts';
import type { Account } from '../../../../gen/laurel/v1/account_pb.ts';
import { newOperationId } from '../../api/operation-id.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { AccountSelect } from '../../form/account-select.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { MergeEffect } from './merge-effect.tsx';

const method = AccountMergeService.method.mergeAccounts;

type Values = { accountId: string; progress: 'MAX' | 'SUM' };

/** Merges another account into this one, in a dialog that shows by a rehearsal what will happen. */
export function MergeAccount({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const t = useTranslations('support.merge');
  // One for this dialog: a second press, or a try after a lost answer, merges once.
  const [operationId] = useState(newOperationId);
  const initialValues: Values = { accountId: '', progress: 'MAX' };
  const requestOf = ({ accountId, progress }: Values) => ({
    ...{ accountId, intoAccountId: account.id, progress: Progress[progress] },
  });
  const form = useApiForm({
    method,
    initialValues,
    request: (values) => ({ ...requestOf(values), operationId }),
    onDone() {
      notifyDone(t('done'));
      onClose();
    },
  });
  const { getInputProps, values } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('title')} size="lg">
      <ApiForm form={form} submit={t('submit')} destructive onCancel={onClose}>
        <Text size="sm">{t('hint')}</Text>
        <AccountSelect label={t('other')} description={t('otherHint')} required {...getInputProps('accountId')} />
        <Stack gap={4}>
          <Text size="sm" fw={500} id="merge-progress">
            {t('progress')}
          </Text>
          <SegmentedControl
            aria-labelledby="merge-progress"
            data={[
              { value: 'MAX', label: t('MAX') },
              { value: 'SUM', label: t('SUM') },
            ]}
            {...getInputProps('progress')}
          />
        </Stack>
        {values.accountId !== '' && <Rehearsal request={requestOf(values)} />}
      </ApiForm>
    </FormDialog>
  );
}

function Rehearsal({ request }: { readonly request: MessageInitShape<typeof MergeAccountsRequestSchema> }) {
  const t = useTranslations('support.merge');
  // A rehearsal is rolled back, so it may be asked like a read; the answer of a minute ago may be wrong by now.
  const { data, error } = useQuery(method, { ...request, dryRun: true }, { gcTime: 0 });
  if (error) return <FailureAlert error={error} />;
  if (data === undefined) return <Text size="sm">{t('pending')}</Text>;
  return <MergeEffect effect={data} />;
}
