import { Badge, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@connectrpc/connect-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { clientPath } from '../session/client-address.ts';
import { useSession } from '../session/session-context.tsx';
import { filterOf } from '../table/filter-of.ts';

/** The client of the shown data. A service administrator can switch it; other users see the name. */
export function ClientSwitcher() {
  const session = useSession();
  return session.permissions.includes(Permission.ACT_FOR_ANY_CLIENT) ? (
    <ClientSelect />
  ) : (
    // A long name is cut, unlike in other badges, because its neighbours must stay on a phone's screen.
    <Badge size="lg" color="gray" variant="outline" miw={0} maw={{ base: 150, xs: 320 }} title={session.client?.name}>
      {session.client?.name}
    </Badge>
  );
}

function ClientSelect() {
  const t = useTranslations('shell');
  const { client } = useSession();
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  const [choices, setChoices] = useState(0);
  const [name] = useDebouncedValue(search, 200);
  const sought = name === client?.name ? '' : name;
  const { data } = useQuery(ClientAdminService.method.listClients, {
    page: 1,
    limit: 20,
    filters: filterOf({ name: sought }),
  });

  function choose(clientId: string | null): void {
    if (clientId === null || clientId === client?.id) return;
    void navigate(clientPath(clientId));
    // The field still shows the current client: the user may stay because of unsaved input.
    setChoices(choices + 1);
    setSearch(client?.name ?? '');
  }

  const rows = data?.rows ?? [];
  const options = client && !rows.some(({ id }) => id === client.id) ? [client, ...rows] : rows;
  return (
    <Select
      key={choices}
      aria-label={t('client')}
      w={{ base: 150, xs: 220 }}
      size="sm"
      searchable
      allowDeselect={false}
      // The service has searched already.
      filter={({ options }) => options}
      data={options.map(({ id, name }) => ({ value: id, label: name }))}
      value={client?.id ?? null}
      searchValue={search}
      onSearchChange={setSearch}
      onChange={choose}
      nothingFoundMessage={t('noClient')}
    />
  );
}
