import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useMutation, useQuery } from '@connectrpc/connect-query';
import { Alert, Button, Card } from '@mantine/core';
import { useParams } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { ImportAdminService } from '../../../../gen/laurel/admin/v1/import_admin_service_pb.ts';
import { type Import, Import_Status, Import_Type } from '../../../../gen/laurel/admin/v1/import_pb.ts';
import { Backfill_Rewards as Rewards } from '../../../../gen/laurel/v1/trigger_pb.ts';
import { enumName } from '../../api/enum-name.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useConfirm } from '../../feedback/use-confirm.ts';
import { useStoredWords } from '../../language/use-service-words.ts';
import { NameLink } from '../../names/name-link.tsx';
import { DownloadButton } from '../../shell/download-button.tsx';
import { Facts } from '../../shell/facts.tsx';
import { Page } from '../../shell/page.tsx';
import { PageFailure } from '../../shell/page-failure.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { ImportProgress } from './import-progress.tsx';
import { importTypeName, isEnded } from './import-types.ts';
import { RefusedRows } from './refused-rows.tsx';
import { ResumeUpload } from './resume-upload.tsx';
import { RowCounts } from './row-counts.tsx';
import { useUpload } from './uploads.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** Milliseconds between two refreshes of a running import. */
const REFRESH_MS = 1_000;

/** One import: its progress, the results of its rows, and the report of refused rows. */
export function ImportPage() {
  const t = useTranslations('imports');
  const fields = useTranslations('fields');
  const { id = '' } = useParams();
  const upload = useUpload(id);
  const storedWords = useStoredWords();
  const query = useQuery(
    ImportAdminService.method.getImport,
    { id },
    {
      refetchInterval: (query) => {
        const status = query.state.data?.import?.status;
        return status !== undefined && isEnded(status) ? false : REFRESH_MS;
      },
    },
  );
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const back = { to: '/imports', label: t('title') };
  if (error !== null) {
    return <PageFailure title={t('title')} back={back} error={error} retry={() => void refetch()} />;
  }
  if (data?.import === undefined) return <PageSkeleton />;
  const shown = data.import;
  const waitsForFile =
    shown.status === Import_Status.UPLOADING && (upload === undefined || upload.failure !== undefined);
  return (
    <Page
      title={shown.fileName}
      id={id}
      back={back}
      actions={
        <Allowed to={Permission.IMPORT}>
          <ImportActions of={shown} />
        </Allowed>
      }
      width={860}
    >
      {shown.error !== undefined && (
        <Alert color="red" title={t('failedTitle')}>
          {storedWords(shown.error)}
        </Alert>
      )}
      {waitsForFile ? <ResumeUpload of={shown} upload={upload} /> : <ImportProgress of={shown} upload={upload} />}
      <RowCounts of={shown} />
      {isEnded(shown.status) && shown.rowsRefused > 0 && (
        <Allowed to={Permission.IMPORT}>
          <RefusedRows
            importId={id}
            keyName={fields(shown.type === Import_Type.PRODUCT_CODES ? 'code' : 'externalId')}
          />
        </Allowed>
      )}
      <ImportFacts of={shown} />
    </Page>
  );
}

function ImportFacts({ of: shown }: { readonly of: Import }) {
  const t = useTranslations('imports');
  const format = useFormatter();
  const moment = (at: Import['createdAt']) => at && format.dateTime(timestampDate(at), 'second');
  const target = {
    [Import_Type.PRODUCT_CODES]: [t('product'), <NameLink key="target" kind="product" id={shown.productId} />],
    [Import_Type.EVENTS]: [t('rewards'), t(`eventRewards.${enumName(Rewards, shown.rewards || Rewards.NONE)}`)],
    [Import_Type.ACCOUNTS]: [t('audience'), <NameLink key="target" kind="audience" id={shown.audienceId} />],
  } as const;
  return (
    <Card>
      <Facts
        facts={[
          [t('type'), t(`types.${importTypeName(shown.type)}`)],
          ...(shown.type in target ? [target[shown.type as keyof typeof target]] : []),
          [t('createdAt'), moment(shown.createdAt)],
          [t('startedAt'), moment(shown.startedAt)],
          [t('finishedAt'), moment(shown.finishedAt)],
        ]}
      />
    </Card>
  );
}

function ImportActions({ of: { id, status, rowsRefused } }: { readonly of: Import }) {
  const t = useTranslations('imports');
  const confirm = useConfirm();
  const cancel = useMutation(ImportAdminService.method.cancelImport);

  async function askAndCancel(): Promise<void> {
    if (!(await confirm({ title: t('cancelTitle'), message: t('cancelText'), confirm: t('cancel') }))) return;
    cancel.mutate({ id }, { onSuccess: () => notifyDone(t('cancelled')) });
  }

  return (
    <>
      {rowsRefused > 0 && (
        <DownloadButton path={`/admin/imports/${id}/refusals.csv`} fileName="refused-rows.csv">
          {t('refusals')}
        </DownloadButton>
      )}
      {!isEnded(status) && (
        <Button variant="default" c="red" loading={cancel.isPending} onClick={() => void askAndCancel()}>
          {t('cancel')}
        </Button>
      )}
    </>
  );
}
