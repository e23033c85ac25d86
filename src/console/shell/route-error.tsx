import { Button, Container, Group, Stack, Title } from '@mantine/core';
import { Link, useRouteError } from 'react-router';
import { useTranslations } from 'use-intl';
import { FailureAlert } from '../feedback/failure-alert.tsx';

/** The content of a crashed page: the error, and two links. */
export function RouteError() {
  const t = useTranslations('shell');
  const error = useRouteError();
  return (
    <Container size="sm" py="xl">
      <Stack>
        <Title order={1}>{t('broken')}</Title>
        <FailureAlert error={error} />
        <Group>
          <Button onClick={() => window.location.reload()}>{t('reload')}</Button>
          <Button variant="default" component={Link} to="/" reloadDocument>
            {t('toOverview')}
          </Button>
        </Group>
      </Stack>
    </Container>
  );
}
