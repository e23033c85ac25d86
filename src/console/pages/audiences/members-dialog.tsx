import { createClient } from '@connectrpc/connect';
import { useTransport } from '@connectrpc/connect-query';
import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Audience } from '../../../../gen/laurel/v1/audience_pb.ts';
import { AudienceService } from '../../../../gen/laurel/v1/audience_service_pb.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { FormDialog, useDialogClose } from '../../form/form-dialog.tsx';
import { linesOf } from '../../form/lines.ts';
import { findAccounts } from './find-accounts.ts';

/** Whether accounts are added or removed. */
export type Membership = 'add' | 'remove';

/** As many accounts as one call takes. */
const MOST = 10_000;

/** Puts accounts into an audience, or takes them out, by the integrator's own ids: all of them, or none. */
export function MembersDialog(props: {
  readonly audience: Audience;
  readonly membership: Membership;
  readonly onClose: () => void;
}) {
  const t = useTranslations('audiences');
  const { audience, membership, onClose } = props;
  const adding = membership === 'add';
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const change = useMembershipChange(audience.id, membership);
  const externalIds = linesOf(text);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (externalIds.length === 0) return setFault(t('noIds'));
    if (externalIds.length > MOST) return setFault(t('tooManyIds', { count: externalIds.length }));
    const unknown = await change.mutateAsync(externalIds).catch(() => undefined);
    if (unknown === undefined) return;
    if (unknown.length > 0) {
      return setFault(t('unknownIds', { count: unknown.length, ids: unknown.slice(0, 5).join(', ') }));
    }
    notifyDone(t(adding ? 'added' : 'taken', { count: externalIds.length }));
    onClose();
  }

  return (
    <FormDialog
      unsaved={text !== '' && !change.isPending}
      onClose={onClose}
      title={t(adding ? 'addTo' : 'takeFrom', { name: audience.name })}
      size="lg"
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Textarea
            label={t('externalIds')}
            description={t('externalIdsHint')}
            withAsterisk
            autosize
            minRows={6}
            maxRows={14}
            spellCheck={false}
            data-autofocus
            value={text}
            error={fault}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              setFault(undefined);
            }}
          />
          <Text size="sm" c="dimmed">
            {t(adding ? 'addText' : 'takeText')}
          </Text>
          {change.error && <FailureAlert error={change.error} />}
          <Group justify="space-between" gap="sm">
            <Text size="sm" c="dimmed" role="status" className="laurel-number">
              {t('counted', { count: externalIds.length })}
            </Text>
            <Group gap="sm">
              <CancelButton />
              <Button type="submit" color={adding ? 'laurel' : 'red'} loading={change.isPending}>
                {t(adding ? 'add' : 'take')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  );
}

function CancelButton() {
  const t = useTranslations('form');
  return (
    <Button variant="default" onClick={useDialogClose()}>
      {t('cancel')}
    </Button>
  );
}

/** Returns the unknown external ids; with any, no account was changed. */
function useMembershipChange(audienceId: string, membership: Membership) {
  const transport = useTransport();
  return useMutation({
    meta: { showsError: true },
    async mutationFn(externalIds: readonly string[]): Promise<readonly string[]> {
      const { ids, unknown } = await findAccounts(transport, externalIds);
      if (unknown.length > 0) return unknown;
      const client = createClient(AudienceService, transport);
      const request = { audienceId, accountIds: [...ids] };
      await (membership === 'add' ? client.assignAccounts(request) : client.removeAccounts(request));
      return [];
    },
  });
}
