import { Textarea, TextInput } from '@mantine/core';
import { Filter, Globe, UserPlus } from 'lucide-react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { AudienceAdminService } from '../../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { Audience_Kind } from '../../../../gen/laurel/v1/audience_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ChoiceCards } from '../../form/choice-cards.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { RuleField } from './rule-field.tsx';
import { audienceKinds } from './audience-kind.tsx';

type Values = { name: string; kind: (typeof audienceKinds)[number]; expression: string; description: string };

const initialValues: Values = { name: '', kind: 'MANUAL', expression: '', description: '' };
const icons = { MANUAL: UserPlus, EVERYONE: Globe, RULE: Filter };

/** Creates an audience in a dialog, and opens its page unless it is created for a field. */
export function AudienceForm({
  onClose,
  name: suggested = '',
  onMade,
}: {
  readonly onClose: () => void;
  /** The rule of its name. */
  readonly name?: string;
  /** Called with its id, if it is created for a field. */
  readonly onMade?: (value: string) => void;
}) {
  const t = useTranslations('audiences');
  const navigate = useNavigate();
  const form = useApiForm({
    method: AudienceAdminService.method.createAudience,
    initialValues: { ...initialValues, name: suggested },
    request: ({ kind, expression, ...values }) => ({
      ...values,
      kind: Audience_Kind[kind],
      expression: kind === 'RULE' ? expression : undefined,
    }),
    async onDone({ audience }, { name }) {
      notifyDone(t('created', { name }));
      onClose();
      if (onMade && audience) onMade(audience.id);
      else await navigate(`/audiences/${audience?.id ?? ''}`);
    },
  });
  const { getInputProps, values } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={t('create')} size="lg">
      <ApiForm form={form} submit={t('submit')} onCancel={onClose}>
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          withAsterisk
          data-autofocus
          {...getInputProps('name')}
        />
        <ChoiceCards
          label={t('kind')}
          choices={audienceKinds.map((value) => ({
            value,
            label: t(`kinds.${value}`),
            hint: t(`kindHints.${value}`),
            icon: icons[value],
          }))}
          {...getInputProps('kind')}
          value={values.kind}
        />
        {values.kind === 'RULE' && <RuleField {...getInputProps('expression')} />}
        <Textarea label={t('note')} autosize minRows={2} {...getInputProps('description')} />
      </ApiForm>
    </FormDialog>
  );
}
