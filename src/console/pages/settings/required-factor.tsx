import { useMutation } from '@connectrpc/connect-query';
import { Switch } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { failureOf } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone, notifyFailure } from '../../feedback/notify.tsx';
import { useSession, useSessionKeeper } from '../../session/session-context.tsx';

/**
 * Whether the client on the screen requires a second factor of users who sign in by password; for its administrators.
 */
export function RequiredFactor() {
  const t = useTranslations('secondFactor');
  const { client, user } = useSession();
  const keeper = useSessionKeeper();
  const update = useMutation(ClientAdminService.method.updateClient, {
    // Told below the switch: what to do first is the button above it, which a notification would cover.
    meta: { tells: true },
    // Changes by others are read as well, so that the next attempt uses them.
    onSettled: () => keeper.reload().catch(notifyFailure),
    onSuccess({ client: saved }) {
      const words = saved?.requireSecondFactor === true ? 'nowRequired' : 'noLongerRequired';
      notifyDone(t(words, { name: saved?.name ?? '' }));
    },
  });
  if (client === undefined) return null;
  const { id, version, name, timeZone, requireSecondFactor } = client;
  const isDone = user?.secondFactorEnabled === true && failureOf(update.error).code === 'SECOND_FACTOR_NOT_ENABLED';
  return (
    <>
      <Switch
        label={t('require', { name })}
        description={t('requireHint')}
        checked={requireSecondFactor}
        disabled={update.isPending}
        onChange={({ currentTarget: { checked } }) =>
          update.mutate({ id, version, name, timeZone, requireSecondFactor: checked })
        }
      />
      {update.error !== null && !isDone && <FailureAlert error={update.error} />}
    </>
  );
}
