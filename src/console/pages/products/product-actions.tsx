import { createClient } from '@connectrpc/connect';
import { useMutation, useTransport } from '@connectrpc/connect-query';
import { Button, Menu } from '@mantine/core';
import { Archive, Minus, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import type { Product } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useAskUnlessUsed } from '../../feedback/use-ask-unless-used.tsx';
import { UnitsDialog } from '../../form/units-dialog.tsx';
import { ActionRow } from '../../shell/action-row.tsx';
import { MenuAction } from '../../table/menu-action.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { CodesDialog } from './codes-dialog.tsx';
import { ProductEdit } from './product-edit.tsx';
import { stockModeName } from './stock-modes.ts';

/** The actions on one product. */
export function ProductActions({ product }: { readonly product: Product }) {
  const t = useTranslations('products');
  const askUnlessUsed = useAskUnlessUsed();
  const client = createClient(ProductAdminService, useTransport());
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'edit' | 'stock' | 'withdraw'>();
  const archive = useMutation(ProductAdminService.method.archiveProduct, { meta: { showsError: true } });
  const { id, name, archivedAt, version } = product;
  const mode = stockModeName(product.stockMode);
  const close = () => setDialog(undefined);

  async function askAndArchive(): Promise<void> {
    const question = { title: t('archiveTitle', { name }), message: t('archiveText'), confirm: t('archive') };
    const readUses = async () => (await client.getProduct({ id })).uses;
    const act = () => archive.mutateAsync({ id, version });
    if (!(await askUnlessUsed(readUses, name, { ...question, act }))) return;
    notifyDone(t('archived', { name }));
    void navigate('/products');
  }

  if (archivedAt !== undefined) return null;
  return (
    <>
      <ActionRow
        main={
          mode !== 'UNLIMITED' && (
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setDialog('stock')}>
              {t(mode === 'CODES' ? 'addCodes' : 'addUnits')}
            </Button>
          )
        }
        menu={
          <RowMenu label={t('menu', { name })}>
            {mode === 'COUNTED' && (
              <MenuAction
                icon={<Minus size={15} />}
                unavailable={(product.free ?? 0) > 0 ? undefined : t('nothingToWithdraw')}
                onClick={() => setDialog('withdraw')}
              >
                {t('withdrawUnits')}
              </MenuAction>
            )}
            <Menu.Item color="red" leftSection={<Archive size={15} />} onClick={() => void askAndArchive()}>
              {t('archive')}
            </Menu.Item>
          </RowMenu>
        }
      >
        <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={() => setDialog('edit')}>
          {t('editAction')}
        </Button>
      </ActionRow>
      {dialog === 'edit' && <ProductEdit product={product} onClose={close} />}
      {dialog === 'stock' && mode === 'CODES' && <CodesDialog product={product} onClose={close} />}
      {dialog === 'stock' && mode === 'COUNTED' && (
        <UnitsDialog
          method={ProductAdminService.method.addProductStock}
          id={id}
          title={t('addUnitsTo', { name })}
          hint={t('addUnitsHint')}
          reason="optional"
          onDone={({ delivered }, quantity) => notifyDone(t('unitsAdded', { count: quantity, delivered }))}
          onClose={close}
        />
      )}
      {dialog === 'withdraw' && (
        <UnitsDialog
          method={ProductAdminService.method.withdrawProductStock}
          id={id}
          title={t('withdrawUnitsFrom', { name })}
          hint={t('withdrawUnitsHint')}
          reason="required"
          label={t('unitsToWithdraw')}
          most={product.free}
          submit={t('withdrawUnits')}
          onDone={(_answer, count) => notifyDone(t('unitsWithdrawn', { count }))}
          onClose={close}
        />
      )}
    </>
  );
}
