import { Fieldset, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AccountAdminService } from '../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import type { Account } from '../../../../gen/laurel/v1/account_pb.ts';
import { AttributeInput } from '../../attributes/attribute-input.tsx';
import { type AttributeInputs, changedInputs, inputsOf } from '../../attributes/attribute-inputs.ts';
import { useAccountAttributes } from '../../attributes/use-account-attributes.ts';
import { newOperationId } from '../../api/operation-id.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReasonField } from '../../form/reason-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';

/** Fields of an account by their names in a mask. */
const FIELDS = { externalId: 'external_id', email: 'email', name: 'name', timeZone: 'time_zone' } as const;

type Field = keyof typeof FIELDS;

/** Changes attributes of the account; only changed fields are sent, and emptied ones are cleared. */
export function EditAccount({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const t = useTranslations('support');
  const fields = useTranslations('accounts');
  const [operationId] = useState(newOperationId);
  const [{ externalId = '', email = '', name = '', timeZone = '' }] = useState(account);
  const before = { externalId, email, name, timeZone };
  const declared = useAccountAttributes()?.attributes ?? [];
  const [attributes] = useState<AttributeInputs>(() => inputsOf(account.attributes));
  const form = useApiForm({
    method: AccountAdminService.method.editAccount,
    within: 'account',
    initialValues: { ...before, attributes, reason: '' },
    request({ reason, attributes: entered, ...values }) {
      const changed = (Object.keys(FIELDS) as Field[]).filter((field) => values[field] !== before[field]);
      const sent = changed.flatMap((field) => (values[field] === '' ? [] : [[field, values[field]] as const]));
      const changes = changedInputs(attributes, entered);
      const paths = [...changed.map((field) => FIELDS[field]), ...(changes === undefined ? [] : ['attributes'])];
      const updateMask = paths.length === 0 ? undefined : { paths };
      const values$ = { ...Object.fromEntries(sent), ...(changes && { attributes: changes }) };
      return { accountId: account.id, account: values$, updateMask, reason, operationId };
    },
    onDone() {
      notifyDone(t('edit.done'));
      onClose();
    },
  });
  const { getInputProps, values, errors, setFieldValue } = form.form;
  const timeZoneInput = getInputProps('timeZone');
  return (
    <FormDialog form={form} onClose={onClose} title={t('edit.name')}>
      <ApiForm form={form} submit={t('save')} onCancel={onClose}>
        <TextInput label={fields('externalId')} description={t('externalIdHint')} {...getInputProps('externalId')} />
        <TextInput label={fields('email')} {...getInputProps('email')} />
        <TextInput label={fields('name')} {...getInputProps('name')} />
        <Select
          label={fields('timeZone')}
          description={t('timeZoneHint')}
          data={[...new Set(['UTC', timeZone, ...Intl.supportedValuesOf('timeZone')])].filter(Boolean)}
          searchable
          clearable
          {...timeZoneInput}
          value={timeZoneInput.value === '' ? null : timeZoneInput.value}
          onChange={(chosen) => timeZoneInput.onChange(chosen ?? '')}
        />
        {declared.length > 0 && (
          <Fieldset legend={fields('attributes')}>
            <Stack gap="md">
              {declared.map((attribute) => (
                <AttributeInput
                  key={attribute.name}
                  attribute={attribute}
                  value={values.attributes[attribute.name]}
                  error={errors[`attributes.${attribute.name}`]}
                  onChange={(value) => setFieldValue(`attributes.${attribute.name}`, value)}
                />
              ))}
            </Stack>
          </Fieldset>
        )}
        <ReasonField {...getInputProps('reason')} />
      </ApiForm>
    </FormDialog>
  );
}
