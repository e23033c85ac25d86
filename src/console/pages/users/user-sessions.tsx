import { useMutation, useQuery } from '@connectrpc/connect-query';
import { Button, Group, Modal, Skeleton, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ConsoleUserAdminService } from '../../../../gen/laurel/admin/v1/console_user_admin_service_pb.ts';
import type { ConsoleUser } from '../../../../gen/laurel/admin/v1/console_user_pb.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { SessionTable } from '../settings/session-table.tsx';

/** Where a user is signed in, with the button that ends all of it. */
export function UserSessions({ user, onClose }: { readonly user: ConsoleUser; readonly onClose: () => void }) {
  const t = useTranslations('sessions');
  const form = useTranslations('form');
  const { id, email } = user;
  const { data, error, refetch } = useQuery(ConsoleUserAdminService.method.listConsoleUserSessions, { id });
  const end = useMutation(ConsoleUserAdminService.method.endConsoleUserSessions);

  function endAll(): void {
    end.mutate(
      { id },
      {
        onSuccess({ ended }) {
          notifyDone(t('endedOf', { email, count: ended }));
          onClose();
        },
      },
    );
  }

  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': form('close') }}
      title={t('titleOf', { email })}
      size="lg"
    >
      <Stack>
        {error !== null && <FailureAlert error={error} retry={() => void refetch()} />}
        {data === undefined ? <Skeleton h={60} /> : <SessionTable sessions={data.rows} />}
        <Group justify="flex-end">
          <Button color="red" disabled={!data?.rows.length} loading={end.isPending} onClick={endAll}>
            {t('endAll')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
