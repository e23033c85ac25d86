import { Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { audiences, products } from '../../form/references.ts';
import { DownloadButton } from '../../shell/download-button.tsx';
import { Page } from '../../shell/page.tsx';
import { ImportPages } from './import-pages.tsx';

/** The exports of the client's data as CSV files. */
export function ExportPage() {
  const t = useTranslations('imports');
  return (
    <Page title={t('exports')} description={t('exportsDescription')}>
      <ImportPages />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <AccountsExport />
        <CodesExport />
        <Export
          title={t('redemptions')}
          hint={t('redemptionsHint')}
          button={
            <DownloadButton path="/admin/exports/redemptions.csv" fileName="redemptions.csv">
              {t('download')}
            </DownloadButton>
          }
        />
      </SimpleGrid>
    </Page>
  );
}

function AccountsExport() {
  const t = useTranslations('imports');
  const [audienceId, setAudienceId] = useState('');
  const query = audienceId === '' ? '' : `?audienceId=${audienceId}`;
  return (
    <Export
      title={t('types.ACCOUNTS')}
      hint={t('accountsExportHint')}
      button={
        <DownloadButton path={`/admin/exports/accounts.csv${query}`} fileName="accounts.csv">
          {t('download')}
        </DownloadButton>
      }
    >
      <ReferenceSelect
        of={audiences}
        where={{ kind: ['MANUAL'] }}
        label={t('ofAudience')}
        placeholder={t('everybody')}
        clearable
        value={audienceId}
        onChange={setAudienceId}
      />
    </Export>
  );
}

function CodesExport() {
  const t = useTranslations('imports');
  const [productId, setProductId] = useState('');
  return (
    <Export
      title={t('types.PRODUCT_CODES')}
      hint={t('codesExportHint')}
      button={
        <DownloadButton
          path={`/admin/exports/product-codes.csv?productId=${productId}`}
          fileName="product-codes.csv"
          disabled={productId === ''}
        >
          {t('download')}
        </DownloadButton>
      }
    >
      <ReferenceSelect
        of={products}
        where={{ stockMode: ['CODES'] }}
        label={t('product')}
        placeholder={t('search')}
        value={productId}
        onChange={setProductId}
      />
    </Export>
  );
}

function Export(props: {
  readonly title: string;
  readonly hint: string;
  readonly button: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <Card component="section">
      <Stack gap="md" h="100%">
        <div>
          <Title order={2}>{props.title}</Title>
          <Text size="sm" c="dimmed" mt={4}>
            {props.hint}
          </Text>
        </div>
        {props.children}
        <Group mt="auto">{props.button}</Group>
      </Stack>
    </Card>
  );
}
