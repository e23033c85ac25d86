import { Input, NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  type WebhookConfiguration,
  WebhookConfiguration_AuthenticationMethodType as Authentication,
  WebhookConfiguration_Method as Method,
  WebhookConfiguration_SendWhen as SendWhen,
} from '../../../../gen/laurel/v1/webhook_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { SecretOnce } from '../../feedback/secret-once.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import {
  httpMethodName,
  httpMethods,
  type SendWhenName,
  sendWhenName,
  sendWhenNames,
  webhookMethods,
  type WebhookTypeName,
} from './webhook-methods.ts';

type Values = {
  endpoint: string;
  method: (typeof httpMethods)[number];
  authenticationMethodType: 'NONE' | 'HEADER' | 'QUERY_PARAM';
  authenticationMethodKey: string;
  authenticationValue: string;
  signed: boolean;
  sendWhen: SendWhenName;
  retries: boolean;
};

/** Sets up or changes one webhook, in a dialog. A new signing secret is shown there before it closes. */
export function WebhookForm(props: {
  readonly type: WebhookTypeName;
  readonly configuration: WebhookConfiguration | undefined;
  readonly onClose: () => void;
}) {
  const t = useTranslations('webhooks');
  const form$ = useTranslations('form');
  const { type, configuration, onClose } = props;
  const [signingSecret, setSigningSecret] = useState<string>();
  const form = useApiForm({
    method: webhookMethods[type].put,
    within: 'settings',
    initialValues: valuesOf(configuration),
    request: (values) => ({ settings: settingsOf(type, values) }),
    onDone({ configuration: stored }) {
      notifyDone(t('saved'));
      if (stored?.signingSecret === undefined) onClose();
      else setSigningSecret(stored.signingSecret);
    },
  });
  const { getInputProps, values, key } = form.form;
  const authentication = values.authenticationMethodType;

  if (signingSecret !== undefined) {
    return (
      <SecretOnce
        title={t('signingTitle')}
        label={t('secret')}
        secret={signingSecret}
        hint={t('signingHint')}
        onDone={onClose}
      />
    );
  }
  return (
    <FormDialog form={form} onClose={onClose} title={t(`types.${type}`)} size="lg">
      <ApiForm form={form} submit={form$('save')} onCancel={onClose}>
        <TextInput
          label={t('endpoint')}
          description={t('endpointHint')}
          type="url"
          withAsterisk
          data-autofocus
          {...getInputProps('endpoint')}
        />
        {type === 'REWARDS' && (
          <NativeSelect label={t('method')} data={[...httpMethods]} {...getInputProps('method')} />
        )}
        <div>
          <Input.Label component="div" id="webhook-authentication" mb={4}>
            {t('authentication')}
          </Input.Label>
          <SegmentedControl
            key={key('authenticationMethodType')}
            aria-labelledby="webhook-authentication"
            data={(['NONE', 'HEADER', 'QUERY_PARAM'] as const).map((value) => ({
              value,
              label: t(`authentications.${value}`),
            }))}
            {...getInputProps('authenticationMethodType', { withError: false })}
          />
        </div>
        {authentication !== 'NONE' && (
          <>
            <TextInput
              label={authentication === 'HEADER' ? t('headerName') : t('parameterName')}
              placeholder={authentication === 'HEADER' ? 'X-Api-Key' : 'token'}
              withAsterisk
              {...getInputProps('authenticationMethodKey')}
            />
            <TextInput
              label={t('secret')}
              description={t('secretHint')}
              withAsterisk
              autoComplete="off"
              spellCheck={false}
              {...getInputProps('authenticationValue')}
            />
          </>
        )}
        {type === 'REWARDS' && (
          <NativeSelect
            label={t('sendWhen')}
            description={t('sendWhenHint')}
            data={sendWhenNames.map((value) => ({ value, label: t(`sendWhens.${value}`) }))}
            {...getInputProps('sendWhen')}
          />
        )}
        <Switch label={t('signed')} description={t('signedHint')} {...getInputProps('signed', { type: 'checkbox' })} />
        <Switch
          label={t('retries')}
          description={t('retriesHint')}
          {...getInputProps('retries', { type: 'checkbox' })}
        />
      </ApiForm>
    </FormDialog>
  );
}

function valuesOf(configuration: WebhookConfiguration | undefined): Values {
  const type = configuration?.authenticationMethodType;
  return {
    endpoint: configuration?.endpoint ?? '',
    method: httpMethodName(configuration?.method ?? Method.POST),
    authenticationMethodType:
      (['HEADER', 'QUERY_PARAM'] as const).find((name) => Authentication[name] === type) ?? 'NONE',
    authenticationMethodKey: configuration?.authenticationMethodKey ?? '',
    authenticationValue: configuration?.authenticationValue ?? '',
    signed: configuration?.signed ?? false,
    sendWhen: sendWhenName(configuration?.sendWhen),
    retries: configuration?.retries ?? false,
  };
}

function settingsOf(type: WebhookTypeName, values: Values) {
  const { endpoint, signed, retries, authenticationMethodType: authentication } = values;
  const common = {
    endpoint,
    signed,
    retries,
    method: Method[values.method],
    ...(type === 'REWARDS' && { sendWhen: SendWhen[values.sendWhen] }),
  };
  if (authentication === 'NONE') return common;
  return {
    ...common,
    authenticationMethodType: Authentication[authentication],
    authenticationMethodKey: values.authenticationMethodKey,
    authenticationValue: values.authenticationValue,
  };
}
