import { useMutation, useQuery } from '@connectrpc/connect-query';
import { Button, Skeleton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type OpenSession, SessionService } from '../../../../gen/laurel/admin/v1/session_service_pb.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { SessionTable } from './session-table.tsx';

/** Where the person is signed in, and the way to end it there. The present one ends by signing out. */
export function OwnSessions() {
  const t = useTranslations('sessions');
  const { data, error, refetch } = useQuery(SessionService.method.listSessions);
  const end = useMutation(SessionService.method.endSession);
  if (error !== null) return <FailureAlert error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton h={60} />;

  function endOne({ id }: OpenSession): void {
    end.mutate(
      { id },
      {
        onSuccess() {
          notifyDone(t('ended'));
          void refetch();
        },
      },
    );
  }

  return (
    <SessionTable
      sessions={data.rows}
      action={(session) =>
        !session.current && (
          <Button
            size="xs"
            variant="default"
            style={{ flexShrink: 0 }}
            loading={end.isPending}
            onClick={() => endOne(session)}
          >
            {t('end')}
          </Button>
        )
      }
    />
  );
}
