import { Checkbox, NativeSelect, NumberInput, Select, SimpleGrid, Switch, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  AlertAdminService,
  type AlertSettings,
  AlertSettings_Language as Language,
} from '../../../../gen/laurel/admin/v1/alert_admin_service_pb.ts';
import { Cause_Kind } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { SecretOnce } from '../../feedback/secret-once.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { languages, type Preferences, usePreferences } from '../../language/preferences.ts';
import { type CauseKindName, causeKindName } from '../overview/cause-kinds.ts';

type Values = {
  endpoint: string;
  recipients: string[];
  causes: CauseKindName[];
  language: 'EN' | 'ES';
  isQuiet: boolean;
  quietHours: { timeFrom: string; timeTo: string; timeZone: string };
  reminderHours: number | string;
  rotateSigningSecret: boolean;
};

const KINDS = [
  'WEBHOOK_FAILING',
  'REWARDS_WAITING',
  'PRODUCT_LOW',
  'DEAD_TRIGGERS',
  'CAMPAIGN_ENDING',
  'CAMPAIGN_SHORT',
  'CONDITION_LACKING',
  'PUBLICATION_PAUSED',
  'IMPORT_FAILED',
  'EVENTS_OUTLIER',
  'POINTS_OUTLIER',
  'CLOCK_DOUBTED',
] satisfies readonly CauseKindName[];

/** Edits the alert settings, in a dialog. A new signing secret is shown there before it closes. */
export function AlertForm(props: {
  readonly settings: AlertSettings;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const t = useTranslations('alerts');
  const form$ = useTranslations('form');
  const { onClose, onSaved } = props;
  // Saving compares with the version read when the dialog opened, because the page behind it is refreshed meanwhile.
  const [settings] = useState(props.settings);
  const preferences = usePreferences();
  const [secret, setSecret] = useState<string>();
  const form = useApiForm({
    method: AlertAdminService.method.putAlertSettings,
    initialValues: valuesOf(settings, preferences),
    request: (values) => ({ version: settings.version, ...contentOf(values) }),
    onDone({ settings: stored }) {
      notifyDone(t('saved'));
      onSaved();
      if (stored?.signingSecret === undefined) onClose();
      else setSecret(stored.signingSecret);
    },
  });
  const { getInputProps, values } = form.form;

  if (secret !== undefined)
    return (
      <SecretOnce
        title={t('secretTitle')}
        label={t('secret')}
        secret={secret}
        hint={t('secretHint')}
        onDone={onClose}
      />
    );
  return (
    <FormDialog form={form} onClose={onClose} title={t('title')} size="lg">
      <ApiForm form={form} submit={form$('save')} onCancel={onClose}>
        <TextInput
          label={t('endpoint')}
          description={t('endpointHint')}
          type="url"
          data-autofocus
          {...getInputProps('endpoint')}
        />
        {settings.endpoint !== undefined && values.endpoint !== '' && (
          <Switch
            label={t('rotate')}
            description={t('rotateHint')}
            {...getInputProps('rotateSigningSecret', { type: 'checkbox' })}
          />
        )}
        <TagsInput
          label={t('recipients')}
          description={settings.emailAvailable ? t('recipientsHint') : t('noServer')}
          disabled={!settings.emailAvailable && values.recipients.length === 0}
          acceptValueOnBlur
          splitChars={[',', ' ', ';']}
          {...getInputProps('recipients')}
          error={firstFault(form.form.errors)}
        />
        <Checkbox.Group label={t('causes')} description={t('causesHint')} {...getInputProps('causes')}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
            {KINDS.map((kind) => (
              <Checkbox key={kind} value={kind} label={t(`kinds.${kind}`)} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        <NativeSelect
          label={t('language')}
          data={[
            { value: 'EN', label: languages.en },
            { value: 'ES', label: languages.es },
          ]}
          {...getInputProps('language')}
        />
        <Switch label={t('quiet')} description={t('quietHint')} {...getInputProps('isQuiet', { type: 'checkbox' })} />
        {values.isQuiet && (
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <TextInput type="time" label={t('from')} withAsterisk {...getInputProps('quietHours.timeFrom')} />
            <TextInput type="time" label={t('to')} withAsterisk {...getInputProps('quietHours.timeTo')} />
            <Select
              label={t('timeZone')}
              data={[...new Set(['UTC', values.quietHours.timeZone, ...Intl.supportedValuesOf('timeZone')])]}
              searchable
              limit={100}
              allowDeselect={false}
              {...getInputProps('quietHours.timeZone')}
            />
          </SimpleGrid>
        )}
        <NumberInput
          label={t('reminder')}
          description={t('reminderHint')}
          allowDecimal={false}
          {...getInputProps('reminderHours')}
        />
      </ApiForm>
    </FormDialog>
  );
}

/** A fault of one recipient is shown at the field with all of them. */
function firstFault(errors: Readonly<Record<string, unknown>>): string | undefined {
  const [, text] = Object.entries(errors).find(([path, error]) => path.startsWith('recipients') && error) ?? [];
  return typeof text === 'string' ? text : undefined;
}

function valuesOf(
  { channels, endpoint, recipients, causes, language, quietHours, reminderHours }: AlertSettings,
  preferences: Preferences,
): Values {
  const { timeFrom = '22:00', timeTo = '07:00', timeZone = preferences.timeZone } = quietHours ?? {};
  // Without a channel yet, the language of the current user.
  const isSpanish = channels.length === 0 ? preferences.language === 'es' : language === Language.ES;
  return {
    endpoint: endpoint ?? '',
    recipients: [...recipients],
    causes: causes.map(causeKindName),
    language: isSpanish ? 'ES' : 'EN',
    isQuiet: quietHours !== undefined,
    quietHours: { timeFrom, timeTo, timeZone },
    reminderHours: reminderHours ?? '',
    rotateSigningSecret: false,
  };
}

function contentOf({ endpoint, recipients, causes, language, isQuiet, quietHours, ...values }: Values) {
  return {
    ...(endpoint !== '' && { endpoint, rotateSigningSecret: values.rotateSigningSecret }),
    ...(isQuiet && { quietHours }),
    ...(typeof values.reminderHours === 'number' && { reminderHours: values.reminderHours }),
    recipients,
    causes: causes.map((kind) => Cause_Kind[kind]),
    language: Language[language],
  };
}
