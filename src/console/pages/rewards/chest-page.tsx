import { createClient } from '@connectrpc/connect';
import { useMutation, useQuery, useTransport } from '@connectrpc/connect-query';
import { Alert, Button } from '@mantine/core';
import { Archive, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { ChestAdminService } from '../../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import type { ChestDefinition } from '../../../../gen/laurel/admin/v1/chest_definition_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useAskUnlessUsed } from '../../feedback/use-ask-unless-used.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { useServiceWords } from '../../language/use-service-words.ts';
import { Page } from '../../shell/page.tsx';
import { PageFailure } from '../../shell/page-failure.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { ChestEditor } from './chest-editor.tsx';
import { requestOf, valuesOf } from './chest-values.ts';
import { useChestCheck } from './use-chest-check.ts';
import { Allowed, useAllowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** One chest with its odds, which can be changed until the first chest is won. */
export function ChestPage() {
  const t = useTranslations('rewards');
  const wordsOf = useServiceWords();
  const { id = '' } = useParams();
  const [reading, setReading] = useState(0);
  const query = useQuery(ChestAdminService.method.getChestDefinition, { id });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const back = { to: '/rewards/chests', label: t('chests') };
  if (error !== null) return <PageFailure title={t('chests')} back={back} error={error} retry={() => void refetch()} />;
  if (data?.chestDefinition === undefined) return <PageSkeleton />;
  const chest = data.chestDefinition;

  async function readAgain(): Promise<void> {
    await refetch();
    setReading(reading + 1);
  }

  return (
    <Page
      title={chest.name}
      description={t('chestHint')}
      id={id}
      back={back}
      actions={
        chest.archivedAt === undefined && (
          <Allowed to={Permission.KEEP_REWARDS}>
            <ArchiveButton chest={chest} />
          </Allowed>
        )
      }
      width={860}
    >
      {chest.archivedAt !== undefined && <Alert color="gray">{t('chestArchivedHint')}</Alert>}
      {[...new Set(chest.warnings.map(wordsOf))].map((words) => (
        <Alert key={words} color="yellow" icon={<TriangleAlert />}>
          {words}
        </Alert>
      ))}
      <ChestEdit
        key={reading}
        chest={chest}
        readStored={async () => (await refetch()).data?.chestDefinition ?? chest}
        onReadAgain={() => void readAgain()}
      />
    </Page>
  );
}

function ChestEdit(props: {
  readonly chest: ChestDefinition;
  readonly readStored: () => Promise<ChestDefinition>;
  readonly onReadAgain: () => void;
}) {
  const t = useTranslations('rewards');
  const form$ = useTranslations('form');
  const { chest, readStored, onReadAgain } = props;
  const may = useAllowed();
  const formValuesOf = (read: ChestDefinition) => ({ id: read.id, version: read.version, ...valuesOf(read) });
  const form = useApiForm({
    method: ChestAdminService.method.updateChestDefinition,
    initialValues: formValuesOf(chest),
    request: ({ id, version, ...values }) => ({ id, version, ...requestOf(values) }),
    check: useChestCheck(),
    onDone({ chestDefinition }, values) {
      notifyDone(t('chestSaved', { name: values.name }));
      const { version } = chestDefinition ?? values;
      form.form.setFieldValue('version', version);
      form.form.resetDirty({ ...values, version });
    },
  });
  return (
    <ChestEditor
      form={form}
      submit={form$('save')}
      locked={chest.archivedAt !== undefined || !may(Permission.KEEP_REWARDS)}
      readStored={async () => formValuesOf(await readStored())}
      onReadAgain={onReadAgain}
    />
  );
}

function ArchiveButton({ chest: { id, name, version } }: { readonly chest: ChestDefinition }) {
  const t = useTranslations('rewards');
  const askUnlessUsed = useAskUnlessUsed();
  const client = createClient(ChestAdminService, useTransport());
  const navigate = useNavigate();
  const archive = useMutation(ChestAdminService.method.archiveChestDefinition, { meta: { showsError: true } });

  async function askAndArchive(): Promise<void> {
    const question = { title: t('archiveTitle', { name }), message: t('chestArchiveText'), confirm: t('archive') };
    const readUses = async () => (await client.getChestDefinition({ id })).uses;
    const act = () => archive.mutateAsync({ id, version });
    if (!(await askUnlessUsed(readUses, name, { ...question, act }))) return;
    notifyDone(t('archived', { name }));
    void navigate('/rewards/chests');
  }

  return (
    <Button variant="default" leftSection={<Archive size={16} aria-hidden />} onClick={() => void askAndArchive()}>
      {t('archive')}
    </Button>
  );
}
