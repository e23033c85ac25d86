import { useTransport } from '@connectrpc/connect-query';
import { createClient } from '@connectrpc/connect';
import { Card, Grid, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import type { SimulatedMission } from '../../../../gen/laurel/v1/trigger_pb.ts';
import { TriggerService } from '../../../../gen/laurel/v1/trigger_service_pb.ts';
import { EmptyState } from '../../feedback/empty-state.tsx';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { Page } from '../../shell/page.tsx';
import { addressOfEvent, type SimulatedEvent, eventOfAddress, triggerOf } from './simulated-event.ts';
import { EventFields } from './event-fields.tsx';
import { SimulatedMissions } from './simulated-missions.tsx';

/** The effect of an event on each mission of an account, without applying it. The address has the event. */
export function Simulator() {
  const t = useTranslations('simulator');
  const client = createClient(TriggerService, useTransport());
  const simulation = useMutation<SimulatedMission[], Error, SimulatedEvent>({
    meta: { showsError: true },
    mutationFn: async (event) => (await client.simulateTrigger({ trigger: triggerOf(event) })).missions,
  });
  const [query, setQuery] = useSearchParams();
  const [opened] = useState(() => eventOfAddress(query));
  const { mutate } = simulation;
  useEffect(() => {
    if (opened.account !== '' && opened.event !== '') mutate(opened);
  }, [opened, mutate]);

  function simulate(event: SimulatedEvent, personal: readonly string[]): void {
    setQuery(addressOfEvent(event, personal), { replace: true, preventScrollReset: true });
    mutate(event);
  }

  return (
    <Page title={t('title')} description={t('description')}>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, md: 5 }}>
          <Card component="section">
            <Title order={2} mb="md">
              {t('event')}
            </Title>
            <EventFields event={opened} onSimulate={simulate} pending={simulation.isPending} />
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Stack gap="md" aria-live="polite">
            {simulation.error && <FailureAlert error={simulation.error} />}
            {simulation.data ? (
              <SimulatedMissions missions={simulation.data} />
            ) : (
              !simulation.error && (
                <Card p={0}>
                  <EmptyState icon={FlaskConical} title={t('nothingYet')} hint={t('nothingYetHint')} />
                </Card>
              )
            )}
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
