import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Code } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useFormatter, useTranslations } from 'use-intl';
import { CredentialAdminService } from '../../../../gen/laurel/admin/v1/credential_admin_service_pb.ts';
import { Credential_Kind as Kind } from '../../../../gen/laurel/admin/v1/credential_pb.ts';
import { canActOn } from '../../session/can-act-on.ts';
import { useSession } from '../../session/session-context.tsx';
import { ListPage } from '../../shell/list-page.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { KeyActions } from './key-actions.tsx';
import { KeyForm } from './key-form.tsx';
import { KeyState } from './key-state.tsx';
import { TokenOriginsButton } from './token-origins.tsx';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';

/** The API keys and access tokens of the client. */
export function KeyList() {
  const t = useTranslations('keys');
  const format = useFormatter();
  const session = useSession();
  return (
    <ListPage
      title={t('title')}
      description={t('description')}
      pages={<TokenOriginsButton />}
      create={t('create')}
      needs={Permission.KEEP_CREDENTIALS}
      form={KeyForm}
      empty={{ icon: KeyRound, title: t('empty'), hint: t('emptyHint') }}
      list={(empty) => (
        <DataTable
          id="keys"
          label={t('title')}
          method={CredentialAdminService.method.listCredentials}
          rowKey={({ id }) => id}
          filters={[
            {
              field: 'kind',
              label: t('kind'),
              options: (['API_KEY', 'ACCESS_TOKEN'] as const).map((value) => ({ value, label: t(`kinds.${value}`) })),
            },
          ]}
          columns={[
            { key: 'name', render: ({ name }) => name },
            {
              key: 'kind',
              title: t('kind'),
              render: ({ kind }) => (kind === Kind.API_KEY ? t('kinds.API_KEY') : t('kinds.ACCESS_TOKEN')),
            },
            { key: 'lastFour', title: t('ending'), render: ({ lastFour }) => <Code>…{lastFour}</Code> },
            { key: 'state', title: t('state'), render: (credential) => <KeyState credential={credential} /> },
            {
              key: 'lastUsedAt',
              title: t('lastUsedAt'),
              render: ({ lastUsedAt }) =>
                lastUsedAt ? format.dateTime(timestampDate(lastUsedAt), 'moment') : undefined,
            },
            {
              key: 'expiresAt',
              title: t('expiresAt'),
              render: ({ expiresAt }) => (expiresAt ? format.dateTime(timestampDate(expiresAt), 'day') : t('never')),
            },
            {
              key: 'createdAt',
              wideOnly: true,
              render: ({ createdAt }) => createdAt && format.dateTime(timestampDate(createdAt), 'day'),
            },
          ]}
          rowActions={(credential) =>
            credential.revokedAt === undefined &&
            canActOn(session.role, credential.role) && <KeyActions credential={credential} />
          }
          empty={empty}
        />
      )}
    />
  );
}
