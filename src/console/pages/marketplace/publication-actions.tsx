import { createClient } from '@connectrpc/connect';
import { useMutation, useQuery, useTransport } from '@connectrpc/connect-query';
import { Button, Menu } from '@mantine/core';
import { Minus, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { PublicationAdminService } from '../../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { type Publication, Publication_Status } from '../../../../gen/laurel/v1/marketplace_pb.ts';
import { MarketplaceService } from '../../../../gen/laurel/v1/marketplace_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useAskUnlessUsed } from '../../feedback/use-ask-unless-used.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { UnitsDialog } from '../../form/units-dialog.tsx';
import { filterOf } from '../../table/filter-of.ts';
import { ActionRow } from '../../shell/action-row.tsx';
import { MenuAction } from '../../table/menu-action.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { PublicationEdit } from './publication-edit.tsx';
import { sellable } from './sellable.ts';

/** The actions on one publication. End users see it appear and disappear, so both need a confirmation. */
export function PublicationActions({ publication }: { readonly publication: Publication }) {
  const t = useTranslations('marketplace');
  const confirm = useConfirm();
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'stock' | 'withdraw'>();
  const publish = useMutation(MarketplaceService.method.publishPublication);
  const unpublish = useMutation(MarketplaceService.method.unpublishPublication);
  const remove = useMutation(PublicationAdminService.method.deletePublication, { meta: { showsError: true } });
  const {
    id,
    name,
    version,
    status,
    productId,
    stock,
    availableStock,
    reserved = stock - availableStock,
  } = publication;
  const isPublished = status === Publication_Status.PUBLISHED_ON_MARKETPLACE;
  const close = () => setDialog(undefined);
  const client = createClient(PublicationAdminService, useTransport());
  const askUnlessUsed = useAskUnlessUsed();
  const product = useQuery(ProductAdminService.method.getProduct, { id: productId }).data?.product;
  // Undefined if the product's units are not counted, or during loading.
  const free = product?.free;
  const unreserved = stock - reserved;

  /** A publication with sales cannot be deleted; one that was never published has none. */
  async function readUses(): Promise<readonly string[]> {
    const { totalRows } = await client.listPurchases({ page: 1, limit: 1, filters: filterOf({ publicationId: [id] }) });
    return totalRows === 0 ? [] : [t('wasSold', { count: totalRows })];
  }

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
    const act = () => remove.mutateAsync({ id, version });
    if (!(await askUnlessUsed(readUses, name, { ...question, act }))) return;
    notifyDone(t('removed', { name }));
    void navigate('/marketplace');
  }

  return (
    <>
      <ActionRow
        main={
          !isPublished && (
            <Button
              loading={publish.isPending}
              disabled={sellable(publication) === 0}
              title={sellable(publication) === 0 ? t('noUnitsHint') : undefined}
              onClick={() => void askAndPublish()}
            >
              {t('publish')}
            </Button>
          )
        }
        menu={
          <RowMenu label={t('menu', { name })}>
            <Menu.Item leftSection={<Pencil size={15} />} onClick={() => setDialog('edit')}>
              {t('editAction')}
            </Menu.Item>
            <MenuAction
              icon={<Minus size={15} />}
              unavailable={unreserved > 0 ? undefined : t('nothingToWithdraw')}
              onClick={() => setDialog('withdraw')}
            >
              {t('withdraw')}
            </MenuAction>
            {!isPublished && (
              <MenuAction
                icon={<Trash2 size={15} />}
                color="red"
                unavailable={reserved > 0 ? t('heldBack', { count: reserved }) : undefined}
                onClick={() => void askAndRemove()}
              >
                {t('remove')}
              </MenuAction>
            )}
          </RowMenu>
        }
      >
        {isPublished && (
          <Button variant="default" loading={unpublish.isPending} onClick={() => void askAndUnpublish()}>
            {t('unpublish')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<Plus size={16} aria-hidden />}
          disabled={free === 0}
          title={free === 0 ? t('noneFree') : undefined}
          onClick={() => setDialog('stock')}
        >
          {t('addStock')}
        </Button>
      </ActionRow>
      {dialog === 'edit' && <PublicationEdit publication={publication} onClose={close} />}
      {dialog === 'stock' && (
        <UnitsDialog
          method={PublicationAdminService.method.addPublicationStock}
          id={id}
          title={t('addStockTo', { name })}
          hint={t('addStockHint')}
          most={free}
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
          label={t('unitsToWithdraw')}
          most={unreserved}
          submit={t('withdraw')}
          onDone={(_answer, count) => notifyDone(t('withdrawn', { count }))}
          onClose={close}
        />
      )}
    </>
  );
}
