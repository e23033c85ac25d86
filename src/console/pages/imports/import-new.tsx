import { Card } from '@mantine/core';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { ImportAdminService } from '../../../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { Import_Type } from '../../../../gen/laurel/admin/v1/import_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { Backfill_Rewards as Rewards } from '../../../../gen/laurel/v1/trigger_pb.ts';
import { ApiForm } from '../../form/api-form.tsx';
import { ChoiceCards } from '../../form/choice-cards.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { useAllowed } from '../../session/allowed.tsx';
import { useSessionKeeper } from '../../session/session-context.tsx';
import { Page } from '../../shell/page.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { type ComparedColumns, compareColumns, type CsvHeader, readCsvHeader } from './csv-header.ts';
import { ColumnList, FileField } from './file-field.tsx';
import { ImportTarget } from './import-target.tsx';
import { importColumns, importIcons, importTypes, type ImportTypeName, type ImportValues } from './import-types.ts';
import { useKnownColumns } from './use-known-columns.ts';
import { startUpload } from './uploads.ts';

/** The types that an address may name. */
const TYPES: Readonly<Record<string, ImportTypeName>> = { codes: 'PRODUCT_CODES', events: 'EVENTS' };

/** Creates an import and begins to send its file. */
export function ImportNew() {
  const t = useTranslations('imports');
  const choose = useTranslations('rules')('choose');
  const navigate = useNavigate();
  const keeper = useSessionKeeper();
  const [params] = useSearchParams();
  const may = useAllowed();
  const isOffered = (type: ImportTypeName) => type !== 'EVENTS' || may(Permission.BACKFILL);
  const [file, setFile] = useState<File>();
  const [header, setHeader] = useState<CsvHeader>();
  const initialValues: ImportValues = {
    type: TYPES[params.get('type') ?? ''] ?? 'ACCOUNTS',
    fileName: '',
    audienceId: params.get('audience') ?? '',
    productId: params.get('product') ?? '',
    itemId: '',
    rewards: 'NONE',
    webhooks: false,
    dryRun: true,
  };
  const form = useApiForm({
    method: ImportAdminService.method.createImport,
    initialValues,
    request: ({ type, fileName, audienceId, productId, itemId, rewards, webhooks, dryRun }) => ({
      type: Import_Type[type],
      fileName,
      ...(type === 'ACCOUNTS' && audienceId !== '' && { audienceId }),
      ...(type === 'PRODUCT_CODES' && productId !== '' && { productId }),
      ...(type === 'PRODUCT_CODES' && itemId !== '' && { itemId }),
      ...(type === 'EVENTS' && { rewards: Rewards[rewards], webhooks, dryRun }),
    }),
    check: ({ type, fileName, productId }) => ({
      productId: type === 'PRODUCT_CODES' && productId === '' ? choose : undefined,
      fileName: fileName === '' ? t('noFile') : headerFault(type),
    }),
    async onDone({ import: created }) {
      if (created === undefined || file === undefined) return;
      void startUpload(keeper, created, file);
      await navigate(`/imports/${created.id}`);
    },
  });
  const { values, getInputProps, setFieldValue, clearFieldError } = form.form;
  const columns = useKnownColumns(values.type);
  const compared = comparedAs(values.type);

  function comparedAs(type: ImportTypeName): ComparedColumns | undefined {
    const names = columns?.map(({ name }) => name);
    return header && names && compareColumns(header.columns, names, type !== 'PRODUCT_CODES');
  }

  function headerFault(type: ImportTypeName): string | undefined {
    if (header === undefined) return undefined;
    if (header.unreadable) return t('notUtf8');
    const { found, undeclared: [undeclared] = [] } = comparedAs(type) ?? {};
    const missing = found && importColumns[type].required.find((column) => !found.includes(column));
    if (missing !== undefined) return t('columnMissing', { column: missing });
    if (undeclared === undefined) return undefined;
    return t(type === 'EVENTS' ? 'eventColumnUndeclared' : 'columnUndeclared', { column: undeclared });
  }

  async function take(taken: File): Promise<void> {
    setFile(taken);
    setHeader(await readCsvHeader(taken));
    setFieldValue('fileName', taken.name.slice(0, 255));
    clearFieldError('fileName');
  }

  if (columns === undefined) return <PageSkeleton />;
  return (
    <Page title={t('create')} description={t('createHint')} back={{ to: '/imports', label: t('title') }} width={720}>
      <Card>
        <ApiForm form={form} submit={t('start')} onCancel={() => void navigate('/imports')}>
          <ChoiceCards
            label={t('type')}
            choices={importTypes.filter(isOffered).map((value) => ({
              value,
              label: t(`types.${value}`),
              hint: t(`typeHints.${value}`),
              icon: importIcons[value],
            }))}
            columns={3}
            {...getInputProps('type')}
            value={values.type}
          />
          <ImportTarget form={form.form} />
          <FileField
            label={t('file')}
            file={file}
            onFile={(taken) => void take(taken)}
            error={getInputProps('fileName').error ?? headerFault(values.type)}
          >
            <ColumnList known={columns} found={compared?.found} passedOver={compared?.passedOver ?? []} />
          </FileField>
        </ApiForm>
      </Card>
    </Page>
  );
}
