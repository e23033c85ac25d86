import { useMutation } from '@connectrpc/connect-query';
import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { RotateCw, ScanText, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { DeadTriggerAdminService } from '../../../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import type { DeadTrigger } from '../../../../gen/laurel/admin/v1/dead_trigger_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { RowMenu } from '../../table/row-menu.tsx';
import { DeadTriggerDetails } from './dead-trigger-details.tsx';

/** The actions on one dead trigger. */
export function DeadTriggerActions({ letter }: { readonly letter: DeadTrigger }) {
  const t = useTranslations('deadTriggers');
  const confirm = useConfirm();
  const [reading, { open, close }] = useDisclosure(false);
  const replay = useMutation(DeadTriggerAdminService.method.replayDeadTrigger);
  const discard = useMutation(DeadTriggerAdminService.method.discardDeadTrigger);
  const { id, programmaticCode: code, accountId: account } = letter;

  async function askAndDiscard(): Promise<void> {
    const message = t('discardText', { code, account });
    if (!(await confirm({ title: t('discardTitle'), message, confirm: t('discard') }))) return;
    discard.mutate({ id }, { onSuccess: () => notifyDone(t('discarded')) });
  }

  return (
    <>
      <RowMenu label={t('menu', { code, account })}>
        <Menu.Item leftSection={<ScanText size={15} />} onClick={open}>
          {t('details')}
        </Menu.Item>
        <Menu.Item
          leftSection={<RotateCw size={15} />}
          onClick={() => replay.mutate({ id }, { onSuccess: () => notifyDone(t('replayed')) })}
        >
          {t('replay')}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => void askAndDiscard()}>
          {t('discard')}
        </Menu.Item>
      </RowMenu>
      {reading && <DeadTriggerDetails letter={letter} onClose={close} />}
    </>
  );
}
