import { Button, Container, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { failureOf } from '../api/failure.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { ShellSkeleton } from '../shell/shell-skeleton.tsx';
import { clientPath } from './client-address.ts';
import { useSession, useSessionKeeper } from './session-context.tsx';

/** Changes over to the client that the address names, or says why that cannot be. */
export function OtherClient({ clientId }: { readonly clientId: string }) {
  const t = useTranslations('shell');
  const { permissions, client } = useSession();
  const keeper = useSessionKeeper();
  const [failure, setFailure] = useState<unknown>();
  const mayChange = permissions.includes(Permission.ACT_FOR_ANY_CLIENT);

  useEffect(() => {
    if (mayChange) keeper.actFor(clientId).catch(setFailure);
  }, [keeper, clientId, mayChange]);

  useEffect(() => {
    document.title = `${t('otherClient')} · Laurel`;
  }, [t]);

  function retry(): void {
    setFailure(undefined);
    keeper.actFor(clientId).catch(setFailure);
  }

  if (mayChange && failure === undefined) return <ShellSkeleton />;
  const unanswered = failure !== undefined && failureOf(failure).code === 'UNREACHABLE';
  return (
    <Container size="sm" py="xl" component="main">
      <Stack>
        <Title order={1}>{t('otherClient')}</Title>
        {unanswered ? (
          <FailureAlert error={failure} retry={retry} />
        ) : (
          <Text>{t(mayChange ? 'noSuchClient' : 'notYourClient', { name: client?.name ?? '' })}</Text>
        )}
        <Group>
          <Button component={Link} to={clientPath(client?.id ?? '')}>
            {t('toMyClient')}
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}
