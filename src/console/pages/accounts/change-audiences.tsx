import { useQuery } from '@connectrpc/connect-query';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountAdminService } from '../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { AudienceAdminService } from '../../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { Audience_Kind } from '../../../../gen/laurel/v1/audience_pb.ts';
import { newOperationId } from '../../api/operation-id.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReasonField } from '../../form/reason-dialog.tsx';
import { ReferenceMultiSelect } from '../../form/reference-select.tsx';
import { audiences } from '../../form/references.ts';
import { useApiForm } from '../../form/use-api-form.ts';

type Props = { readonly accountId: string; readonly onClose: () => void };

/** Changes the audiences that an account was put into. */
export function ChangeAudiences(props: Props) {
  const t = useTranslations('support');
  const query = useQuery(AudienceAdminService.method.listAccountAudiences, { accountId: props.accountId });
  const failure = failureOfQuery(query);
  if (query.data) {
    const manual = query.data.audiences.filter(({ kind }) => kind === Audience_Kind.MANUAL);
    return <ChangeFrom {...props} present={manual.map(({ id }) => id)} />;
  }
  if (failure === null) return null;
  return (
    <FormDialog onClose={props.onClose} title={t('audiences.name')} unsaved={false}>
      <FailureAlert error={failure} retry={() => void query.refetch()} />
    </FormDialog>
  );
}

function ChangeFrom({ accountId, onClose, present }: Props & { readonly present: readonly string[] }) {
  const t = useTranslations('support');
  const [operationId] = useState(newOperationId);
  // The state at the opening of the dialog: only changes are sent.
  const [before] = useState(present);
  const form = useApiForm({
    method: AccountAdminService.method.changeAccountAudiences,
    initialValues: { audienceIds: [...before], reason: '' },
    request: ({ audienceIds, reason }) => ({
      accountId,
      joinAudienceIds: audienceIds.filter((id) => !before.includes(id)),
      leaveAudienceIds: before.filter((id) => !audienceIds.includes(id)),
      reason,
      operationId,
    }),
    check: ({ audienceIds }) => ({
      audienceIds: audienceIds.toSorted().join() === before.toSorted().join() ? t('audiences.same') : undefined,
    }),
    onDone() {
      notifyDone(t('audiences.done'));
      onClose();
    },
  });
  const { getInputProps } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('audiences.name')}>
      <ApiForm form={form} submit={t('save')} onCancel={onClose}>
        <Text size="sm">{t('audiences.hint')}</Text>
        <ReferenceMultiSelect
          of={audiences}
          where={{ kind: ['MANUAL'] }}
          label={t('audiencesOf')}
          {...getInputProps('audienceIds')}
        />
        <ReasonField {...getInputProps('reason')} />
      </ApiForm>
    </FormDialog>
  );
}
