import { useMutation } from '@connectrpc/connect-query';
import { Button, Menu } from '@mantine/core';
import { Minus, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { PublicationAdminService } from '../../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { type Publication, Publication_Status } from '../../../../gen/laurel/v1/marketplace_pb.ts';
import { MarketplaceService } from '../../../../gen/laurel/v1/marketplace_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { UnitsDialog } from '../../form/units-dialog.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { PublicationEdit } from './publication-edit.tsx';

/** What can be done with one publication. End users see it come and go, so both are asked about. */
export function PublicationActions({ publication }: { readonly publication: Publication }) {
  const t = useTranslations('marketplace');
  const confirm = useConfirm();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'stock' | 'withdraw'>();
  const publish = useMutation(MarketplaceService.method.publishPublication);
  const unpublish = useMutation(MarketplaceService.method.unpublishPublication);
  const remove = useMutation(PublicationAdminService.method.deletePublication);
  const { id, name, status } = publication;
  const isPublished = status === Publication_Status.PUBLISHED_ON_MARKETPLACE;
  const close = () => setDialog(undefined);

  async function askAndPublish(): Promise<void> {
    const question = { title: t('publishTitle', { name }), message: t('publishText'), confirm: t('publish') };
    if (!(await confirm({ ...question, destructive: false }))) return;
    publish.mutate({ id }, { onSuccess: () => notifyDone(t('published', { name })) });
  }

  async function askAndUnpublish(): Promise<void> {
    const question = { title: t('unpublishTitle', { name }), message: t('unpublishText'), confirm: t('unpublish') };
    if (!(await confirm(question))) return;
    unpublish.mutate({ id }, { onSuccess: () => notifyDone(t('unpublished', { name })) });
  }

  async function askAndRemove(): Promise<void> {
    const question = { title: t('removeTitle', { name }), message: t('removeText'), confirm: t('remove') };
    if (!(await confirm(question))) return;
    remove.mutate(
      { id },
      {
        onSuccess() {
          notifyDone(t('removed', { name }));
          void navigate('/marketplace');
        },
      },
    );
  }

  return (
    <>
      {isPublished ? (
        <Button variant="default" loading={unpublish.isPending} onClick={() => void askAndUnpublish()}>
          {t('unpublish')}
        </Button>
      ) : (
        <Button loading={publish.isPending} onClick={() => void askAndPublish()}>
          {t('publish')}
        </Button>
      )}
      <Button variant="default" leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('stock')}>
        {t('addStock')}
      </Button>
      <RowMenu label={t('menu', { name })}>
        <Menu.Item leftSection={<Pencil size={15} />} onClick={() => setDialog('edit')}>
          {t('editAction')}
        </Menu.Item>
        <Menu.Item leftSection={<Minus size={15} />} onClick={() => setDialog('withdraw')}>
          {t('withdraw')}
        </Menu.Item>
        {!isPublished && (
          <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => void askAndRemove()}>
            {t('remove')}
          </Menu.Item>
        )}
      </RowMenu>
      {dialog === 'edit' && <PublicationEdit publication={publication} onClose={close} />}
      {dialog === 'stock' && (
        <UnitsDialog
          method={PublicationAdminService.method.addPublicationStock}
          id={id}
          title={t('addStockTo', { name })}
          hint={t('addStockHint')}
          onDone={(_answer, count) => notifyDone(t('stockAdded', { count }))}
          onClose={close}
        />
      )}
      {dialog === 'withdraw' && (
        <UnitsDialog
          method={PublicationAdminService.method.withdrawPublicationStock}
          id={id}
          title={t('withdrawFrom', { name })}
          hint={t('withdrawHint')}
          submit={t('withdraw')}
          onDone={(_answer, count) => notifyDone(t('withdrawn', { count }))}
          onClose={close}
        />
      )}
    </>
  );
}
