import { Button, Group, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Globe } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import type { Client } from '../../../../gen/laurel/admin/v1/client_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useSession, useSessionKeeper } from '../../session/session-context.tsx';

/** Opens the origins of pages that may use account tokens of the client that is worked for. */
export function TokenOriginsButton() {
  const t = useTranslations('keys.origins');
  const { client } = useSession();
  const [editing, { open, close }] = useDisclosure(false);
  if (client === undefined) return null;
  return (
    <Allowed to={Permission.KEEP_CLIENT}>
      <Group>
        <Button variant="default" leftSection={<Globe size={16} aria-hidden />} onClick={open}>
          {t('open')}
        </Button>
      </Group>
      {editing && <TokenOriginsForm client={client} onClose={close} />}
    </Allowed>
  );
}

function TokenOriginsForm(props: { readonly client: Client; readonly onClose: () => void }) {
  const t = useTranslations('keys.origins');
  const form$ = useTranslations('form');
  const keeper = useSessionKeeper();
  // Saving compares with the version read when the dialog opened.
  const [{ id, version, name, timeZone, accountTokens }] = useState(props.client);
  const form = useApiForm({
    method: ClientAdminService.method.updateClient,
    // One origin a line.
    initialValues: { accountTokens: { origins: (accountTokens?.origins ?? []).join('\n') } },
    request: (values) => ({
      ...{ id, version, name, timeZone },
      accountTokens: { origins: values.accountTokens.origins.split(/\s+/).filter((origin) => origin !== '') },
    }),
    async onDone() {
      notifyDone(t('saved'));
      props.onClose();
      await keeper.reload();
    },
  });
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('title')} size="lg">
      <ApiForm form={form} submit={form$('save')} onCancel={props.onClose}>
        <Textarea
          label={t('label')}
          description={t('hint')}
          autosize
          minRows={3}
          data-autofocus
          {...form.form.getInputProps('accountTokens.origins')}
        />
      </ApiForm>
    </FormDialog>
  );
}
