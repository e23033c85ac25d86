import { useMutation } from '@connectrpc/connect-query';
import { Switch } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyFailure } from '../../feedback/notify.tsx';
import { useSession, useSessionKeeper } from '../../session/session-context.tsx';

/** The switch for badges in the rewards webhook, a setting of the client. */
export function BadgesSwitch() {
  const t = useTranslations('webhooks');
  const { client } = useSession();
  const keeper = useSessionKeeper();
  const update = useMutation(ClientAdminService.method.updateClient, {
    // The failure appears below the switch.
    meta: { showsError: true },
    // Changes by others are read as well, so that the next attempt uses them.
    onSettled: () => keeper.reload().catch(notifyFailure),
  });
  if (client === undefined) return null;
  const { id, version, name, timeZone, badgesInRewardsWebhook } = client;
  return (
    <>
      <Switch
        label={t('badges')}
        description={t('badgesHint')}
        checked={badgesInRewardsWebhook}
        disabled={update.isPending}
        onChange={({ currentTarget: { checked } }) =>
          update.mutate({ id, version, name, timeZone, badgesInRewardsWebhook: checked })
        }
      />
      {update.error !== null && <FailureAlert error={update.error} />}
    </>
  );
}
