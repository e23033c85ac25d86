import { Checkbox, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { Braces, Cloud } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Change_Kind } from '../../../../gen/laurel/v1/change_pb.ts';
import { type WebhookEndpoint, WebhookEndpoint_Form as Form } from '../../../../gen/laurel/v1/webhook_endpoint_pb.ts';
import { WebhookEndpointService } from '../../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { SecretOnce } from '../../feedback/secret-once.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { ChoiceCards } from '../../form/choice-cards.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReferenceMultiSelect } from '../../form/reference-select.tsx';
import { campaigns } from '../../form/references.ts';
import { useApiForm } from '../../form/use-api-form.ts';
import {
  canSelectCampaigns,
  type ChangeKindName,
  changeKindName,
  changeKinds,
  type EndpointFormName,
  endpointFormName,
  endpointForms,
} from './change-kinds.ts';

type Values = {
  name: string;
  url: string;
  types: ChangeKindName[];
  campaignIds: string[];
  retries: boolean;
  form: EndpointFormName;
  rotateSigningSecret: boolean;
};

const { createWebhookEndpoint: create, updateWebhookEndpoint } = WebhookEndpointService.method;
/** The request of an update has the fields of a creation and more, and both have the same answer, so one form serves both. */
const update = updateWebhookEndpoint as unknown as typeof create;

const icons = { PLAIN: Braces, CLOUD_EVENTS: Cloud };

/** Creates or changes an endpoint, in a dialog. A new signing secret is shown there before it closes. */
export function EndpointForm(props: { readonly endpoint?: WebhookEndpoint; readonly onClose: () => void }) {
  const t = useTranslations('endpoints');
  const webhooks = useTranslations('webhooks');
  const form$ = useTranslations('form');
  const { onClose } = props;
  // Saving compares with the version read when the dialog opened, because the page behind it is refreshed meanwhile.
  const [stored] = useState(props.endpoint);
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string }>();
  const form = useApiForm({
    method: stored === undefined ? create : update,
    within: 'endpoint',
    initialValues: valuesOf(stored),
    request: ({ rotateSigningSecret, ...values }) => ({
      ...(stored !== undefined && { id: stored.id, version: stored.version, rotateSigningSecret }),
      endpoint: draftOf(values),
    }),
    onDone({ endpoint }, { name }) {
      notifyDone(t(stored === undefined ? 'created' : 'saved', { name }));
      if (endpoint?.signingSecret === undefined) onClose();
      else setMade({ name, secret: endpoint.signingSecret });
    },
  });
  const { getInputProps, values } = form.form;

  if (made !== undefined) {
    return (
      <SecretOnce
        title={t('secretTitle', { name: made.name })}
        label={webhooks('secret')}
        secret={made.secret}
        hint={t('secretHint')}
        onDone={onClose}
      />
    );
  }
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={stored === undefined ? t('create') : t('edit', { name: stored.name })}
      size="lg"
    >
      <ApiForm form={form} submit={stored === undefined ? t('submit') : form$('save')} onCancel={onClose}>
        <TextInput
          label={form$('name')}
          description={t('nameHint')}
          withAsterisk
          data-autofocus
          {...getInputProps('name')}
        />
        <TextInput
          label={webhooks('endpoint')}
          description={webhooks('endpointHint')}
          type="url"
          withAsterisk
          {...getInputProps('url')}
        />
        <Checkbox.Group label={t('types')} description={t('typesHint')} withAsterisk {...getInputProps('types')}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
            {changeKinds.map((kind) => (
              <Checkbox key={kind} value={kind} label={t(`kinds.${kind}`)} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
        {canSelectCampaigns(values.types) && (
          <ReferenceMultiSelect
            of={campaigns}
            label={t('campaigns')}
            description={t('campaignsHint')}
            maxValues={100}
            {...getInputProps('campaignIds')}
          />
        )}
        <ChoiceCards
          label={t('form')}
          choices={endpointForms.map((value) => ({
            value,
            label: t(`forms.${value}`),
            hint: t(`formHints.${value}`),
            icon: icons[value],
          }))}
          {...getInputProps('form')}
          value={values.form}
        />
        <Switch
          label={webhooks('retries')}
          description={t('retriesHint')}
          {...getInputProps('retries', { type: 'checkbox' })}
        />
        {stored !== undefined && (
          <Switch
            label={t('rotate')}
            description={t('rotateHint')}
            {...getInputProps('rotateSigningSecret', { type: 'checkbox' })}
          />
        )}
      </ApiForm>
    </FormDialog>
  );
}

function valuesOf(endpoint: WebhookEndpoint | undefined): Values {
  return {
    name: endpoint?.name ?? '',
    url: endpoint?.url ?? '',
    types: endpoint?.types.map(changeKindName) ?? [],
    campaignIds: [...(endpoint?.campaignIds ?? [])],
    retries: endpoint?.retries ?? true,
    form: endpoint === undefined ? 'PLAIN' : endpointFormName(endpoint.form),
    rotateSigningSecret: false,
  };
}

function draftOf({ types, campaignIds, form, ...values }: Omit<Values, 'rotateSigningSecret'>) {
  return {
    ...values,
    types: changeKinds.filter((kind) => types.includes(kind)).map((kind) => Change_Kind[kind]),
    campaignIds: canSelectCampaigns(types) ? campaignIds : [],
    form: Form[form],
  };
}
