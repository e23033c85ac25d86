import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useMutation } from '@connectrpc/connect-query';
import { Badge, Button, Group, Stack, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { FileUp, Search, Ticket, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { type Product, type ProductCode, ProductCode_Status } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { NameLink } from '../../names/name-link.tsx';
import { RevealableCode } from '../../names/revealable-code.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { ExportButton } from '../../table/export-button.tsx';
import { MenuAction } from '../../table/menu-action.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { Allowed, useAllowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The masked codes of a product: the free ones, and the owners of the others. */
export function ProductCodes({ product }: { readonly product: Product }) {
  const t = useTranslations('products');
  const may = useAllowed();
  const format = useFormatter();
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed.trim(), 250);
  const { id, items } = product;
  const itemName = (itemId: string) => items.find((item) => item.id === itemId)?.name ?? '–';
  return (
    <Stack gap="sm" component="section">
      <Group justify="space-between">
        <Title order={2}>{t('codes')}</Title>
        <Group gap="sm">
          <TextInput
            aria-label={t('findCode')}
            placeholder={t('findCode')}
            leftSection={<Search size={15} aria-hidden />}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            maxLength={255}
            spellCheck={false}
            w={{ base: '100%', xs: 240 }}
          />
          <Allowed to={Permission.IMPORT}>
            <Button
              variant="default"
              component={Link}
              to={`/imports/new?type=codes&product=${id}`}
              leftSection={<FileUp size={16} aria-hidden />}
            >
              {t('import')}
            </Button>
          </Allowed>
        </Group>
      </Group>
      <DataTable
        // A search starts on its first page.
        key={sought}
        id={sought === '' ? 'product-codes' : 'product-code-sought'}
        secondary={sought !== ''}
        label={t('codes')}
        method={ProductAdminService.method.listProductCodes}
        input={{ productId: id, ...(sought !== '' && { code: sought }) }}
        searchable={false}
        beside={(asked) => (
          <ExportButton
            path="/admin/exports/product-codes.csv"
            fileName="product-codes.csv"
            asked={asked}
            input={{ productId: id, ...(sought !== '' && { code: sought }) }}
          >
            {t('exportWhole')}
          </ExportButton>
        )}
        rowKey={(code) => code.id}
        filters={
          sought === ''
            ? [
                {
                  field: 'status',
                  options: (['UNUSED', 'REDEEMED'] as const).map((value) => ({
                    value,
                    label: t(`statuses.${value}`),
                  })),
                },
              ]
            : []
        }
        columns={[
          { key: 'code', render: ({ id: codeId, maskedCode }) => <RevealableCode id={codeId} masked={maskedCode} /> },
          { key: 'item', title: t('goodFor'), render: ({ itemId }) => itemName(itemId) },
          {
            key: 'status',
            render: ({ status }) =>
              status === ProductCode_Status.REDEEMED ? (
                <Badge color="gray">{t('statuses.REDEEMED')}</Badge>
              ) : (
                <Badge>{t('statuses.UNUSED')}</Badge>
              ),
          },
          {
            key: 'account',
            render: ({ accountId }) => <NameLink kind="account" id={accountId} />,
          },
          {
            key: 'redeemedAt',
            title: t('redeemedAt'),
            wideOnly: true,
            render: ({ redeemedAt }) => (redeemedAt ? format.dateTime(timestampDate(redeemedAt), 'moment') : '–'),
          },
          {
            key: 'createdAt',
            title: t('addedAt'),
            wideOnly: true,
            render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'moment'),
          },
        ]}
        rowActions={may(Permission.KEEP_REWARDS) ? (code) => <CodeActions product={product} code={code} /> : undefined}
        empty={
          sought === '' ? (
            <EmptyState icon={Ticket} title={t('noCodesYet')} hint={t('noCodesYetHint')} />
          ) : (
            <EmptyState icon={Search} title={t('codeNotFound')} hint={t('codeNotFoundHint')} />
          )
        }
      />
    </Stack>
  );
}

function CodeActions({ product, code }: { readonly product: Product; readonly code: ProductCode }) {
  const t = useTranslations('products');
  const confirm = useConfirm();
  const withdraw = useMutation(ProductAdminService.method.withdrawProductCodes);
  if (code.status === ProductCode_Status.REDEEMED) return null;

  async function askAndWithdraw(): Promise<void> {
    const question = {
      title: t('withdrawTitle', { code: code.maskedCode }),
      message: t('withdrawText'),
      confirm: t('withdraw'),
    };
    if (!(await confirm(question))) return;
    withdraw.mutate({ id: product.id, codeIds: [code.id] }, { onSuccess: () => notifyDone(t('withdrawn')) });
  }

  return (
    <RowMenu label={t('menu', { name: code.maskedCode })}>
      <MenuAction
        icon={<Trash2 size={15} />}
        color="red"
        unavailable={product.free === 0 ? t('noneFreeHint', { count: product.allocated ?? 0 }) : undefined}
        onClick={() => void askAndWithdraw()}
      >
        {t('withdraw')}
      </MenuAction>
    </RowMenu>
  );
}
