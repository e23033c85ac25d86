import { timestampDate } from '@bufbuild/protobuf/wkt';
import { createClient } from '@connectrpc/connect';
import { useMutation, useQuery, useTransport } from '@connectrpc/connect-query';
import { Button, Card, Code, Menu, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pencil, Trash2 } from 'lucide-react';
import { useNavigate, useParams } from 'react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { AudienceAdminService } from '../../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import type { Audience } from '../../../../gen/laurel/v1/audience_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { useAskUnlessUsed } from '../../feedback/use-ask-unless-used.tsx';
import { Facts } from '../../shell/facts.tsx';
import { Page } from '../../shell/page.tsx';
import { PageFailure } from '../../shell/page-failure.tsx';
import { PageSkeleton } from '../../shell/page-skeleton.tsx';
import { RowMenu } from '../../table/row-menu.tsx';
import { AudienceEdit } from './audience-edit.tsx';
import { AudienceKind } from './audience-kind.tsx';
import { AudienceMembers } from './audience-members.tsx';
import { Allowed } from '../../session/allowed.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** One audience: its purpose and its members. */
export function AudiencePage() {
  const t = useTranslations('audiences');
  const { id = '' } = useParams();
  const query = useQuery(AudienceAdminService.method.getAudience, { id });
  const { data, refetch } = query;
  const error = failureOfQuery(query);
  const back = { to: '/audiences', label: t('title') };
  if (error !== null) return <PageFailure title={t('title')} back={back} error={error} retry={() => void refetch()} />;
  if (data?.audience === undefined) return <PageSkeleton />;
  const { audience } = data;
  return (
    <Page
      title={audience.name}
      id={id}
      back={back}
      actions={
        <Allowed to={Permission.KEEP_AUDIENCES}>
          <AudienceActions audience={audience} />
        </Allowed>
      }
    >
      <Card>
        <Stack gap="md">
          {audience.description !== '' && <Text size="sm">{audience.description}</Text>}
          <AudienceFacts audience={audience} />
        </Stack>
      </Card>
      <AudienceMembers audience={audience} />
    </Page>
  );
}

function AudienceFacts({ audience }: { readonly audience: Audience }) {
  const t = useTranslations('audiences');
  const format = useFormatter();
  const { kind, expression, memberCount, createdAt, updatedAt } = audience;
  return (
    <Facts
      facts={[
        [t('kind'), <AudienceKind key="kind" kind={kind} />],
        ...(expression === undefined ? [] : [[t('expression'), <Code key="expression">{expression}</Code>] as const]),
        [t('members'), memberCount === undefined ? undefined : format.number(memberCount)],
        [t('createdAt'), createdAt && format.dateTime(timestampDate(createdAt), 'moment')],
        [t('updatedAt'), updatedAt && format.dateTime(timestampDate(updatedAt), 'moment')],
      ]}
    />
  );
}

function AudienceActions({ audience }: { readonly audience: Audience }) {
  const t = useTranslations('audiences');
  const askUnlessUsed = useAskUnlessUsed();
  const client = createClient(AudienceAdminService, useTransport());
  const navigate = useNavigate();
  const [editing, { open, close }] = useDisclosure(false);
  const remove = useMutation(AudienceAdminService.method.deleteAudience, { meta: { showsError: true } });
  const { id, name, version } = audience;

  async function askAndRemove(): Promise<void> {
    const question = { title: t('removeTitle', { name }), message: t('removeText'), confirm: t('remove') };
    const readUses = async () => (await client.getAudience({ id })).uses;
    // Away first: after a change everything on the screen is read again, and this audience would be gone.
    const act = () => remove.mutateAsync({ id, version }, { onSuccess: () => void navigate('/audiences') });
    if (await askUnlessUsed(readUses, name, { ...question, act })) notifyDone(t('removed', { name }));
  }

  return (
    <>
      <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={open}>
        {t('editAction')}
      </Button>
      <RowMenu label={t('menu', { name })}>
        <Menu.Item color="red" leftSection={<Trash2 size={15} />} onClick={() => void askAndRemove()}>
          {t('remove')}
        </Menu.Item>
      </RowMenu>
      {editing && <AudienceEdit audience={audience} onClose={close} />}
    </>
  );
}
