import { useMutation } from '@connectrpc/connect-query';
import { Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pencil, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { StatisticDefinitionAdminService } from '../../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import type { StatisticDefinition } from '../../../../gen/laurel/v1/statistic_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { RowMenu } from '../../table/row-menu.tsx';
import { StatisticEdit } from './statistic-edit.tsx';

/** The actions on one statistic. */
export function StatisticActions({ definition }: { readonly definition: StatisticDefinition }) {
  const t = useTranslations('statistics');
  const { id, code, version } = definition;
  const confirm = useConfirm();
  const [editing, { open, close }] = useDisclosure(false);
  const remove = useMutation(StatisticDefinitionAdminService.method.deleteStatisticDefinition, {
    meta: { showsError: true },
  });

  async function askAndRemove(): Promise<void> {
    const question = {
      title: t('removeTitle', { code }),
      message: t('removeText'),
      confirm: t('remove'),
      destructive: true,
    };
    if (await confirm({ ...question, act: () => remove.mutateAsync({ id, version }) }))
      notifyDone(t('removed', { code }));
  }

  return (
    <>
      <RowMenu label={t('menu', { code })}>
        <Menu.Item leftSection={<Pencil size={15} />} onClick={open}>
          {t('editAction')}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => void askAndRemove()}>
          {t('remove')}
        </Menu.Item>
      </RowMenu>
      {editing && <StatisticEdit definition={definition} onClose={close} />}
    </>
  );
}
