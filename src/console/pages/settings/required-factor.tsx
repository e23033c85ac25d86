import { useMutation } from '@connectrpc/connect-query';
import { Switch } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { failureOf } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone, notifyFailure } from '../../feedback/notify.tsx';
import { useSession, useSessionKeeper } from '../../session/session-context.tsx';

/** The switch for a required second factor of the client's users with passwords; for its administrators. */
export function RequiredFactor() {
  const t = useTranslations('secondFactor');
  const { client, user } = useSession();
  const keeper = useSessionKeeper();
  const update = useMutation(ClientAdminService.method.updateClient, {
    // The failure appears below the switch, because a notification would cover the button above it, which is needed first.
    meta: { showsError: true },
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
