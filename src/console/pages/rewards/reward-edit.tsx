import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { RewardAdminService } from '../../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import type { Reward } from '../../../../gen/laurel/v1/reward_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { badgeInputs, isNoAddress } from './badge-inputs.tsx';
import { changeableFields, hasField, rewardTypeName } from './reward-types.ts';

/** Changes the name of a reward, and what a badge shows, against the version that was read when the dialog opened. */
export function RewardEdit({ reward, onClose }: { readonly reward: Reward; readonly onClose: () => void }) {
  const t = useTranslations('rewards');
  const form$ = useTranslations('form');
  const rules = useTranslations('rules');
  const [{ id, version = 1, name, type, imageUrl = '', description = '', secret = false }] = useState(reward);
  const fields = changeableFields.filter((field) => hasField(rewardTypeName(type), field));
  const form = useApiForm({
    method: RewardAdminService.method.updateReward,
    initialValues: { name, imageUrl, description, secret },
    request: (values) => ({
      id,
      version,
      name: values.name,
      ...Object.fromEntries(fields.map((field) => [field, values[field]])),
    }),
    check: ({ imageUrl: picture }) => ({ imageUrl: isNoAddress(picture) ? rules('address') : undefined }),
    onDone() {
      notifyDone(t('saved'));
      onClose();
    },
  });
  return (
    <FormDialog form={form} onClose={onClose} title={t('editTitle', { name })}>
      <ApiForm form={form} submit={form$('save')} onCancel={onClose}>
        <TextInput label={t('name')} withAsterisk data-autofocus {...form.form.getInputProps('name')} />
        {fields.map((field) => {
          const Input = badgeInputs[field];
          return <Input key={field} form={form.form} />;
        })}
        <Text size="sm" c="dimmed">
          {t('editHint')}
        </Text>
      </ApiForm>
    </FormDialog>
  );
}
