import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, SimpleGrid, Skeleton, Stack, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { RotateCw } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { WebhookEndpointService } from '../../../../gen/laurel/v1/webhook_endpoint_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Page } from '../../shell/page.tsx';
import { anyFailure, failures } from './delivery-outcomes.ts';
import { ResendDialog } from './resend-dialog.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { Endpoints } from './endpoints.tsx';
import { useEndpoints } from './use-endpoints.ts';
import { WaitingTable } from './waiting-table.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { webhookMethods, webhookTypes } from './webhook-methods.ts';

/** The webhooks and the endpoints, and below them attempts and waiting messages. */
export function Webhooks() {
  const t = useTranslations('webhooks');
  const [params, setParams] = useSearchParams();
  const leads = useTranslations('leads');
  const [resending, { open, close }] = useDisclosure(false);
  const narrowed = params.get('endpointId') ?? params.get('type') ?? '';
  const chosen = params.get('endpointId');
  const endpoints = useEndpoints() ?? [];
  // Nobody receives the failures of a deleted endpoint.
  const isDeleted = chosen !== null && chosen !== '' && !endpoints.some(({ id }) => id === chosen);
  const failed = failures.find((outcome) => outcome === params.get('outcome'));
  const answered = useAllAnswered();
  const tab = params.get('tab') === 'waiting' ? 'waiting' : 'log';
  return (
    <Page title={t('title')} description={t('description')}>
      {answered ? <Cards /> : <Skeleton h={760} />}
      {answered && <Endpoints />}
      {answered && (
        <Tabs
          value={tab}
          onChange={(value) => setParams(value === 'waiting' ? { tab: value } : {}, { preventScrollReset: true })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="log">{t('log')}</Tabs.Tab>
            <Tabs.Tab value="waiting">{t('waiting')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="log">
            <Stack gap="sm">
              <Allowed to={Permission.RESEND}>
                <Group justify="flex-end">
                  <Button variant="default" leftSection={<RotateCw size={16} />} onClick={open} disabled={isDeleted}>
                    {leads('resend')}
                  </Button>
                </Group>
              </Allowed>
              <DeliveryTable />
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="waiting">
            <WaitingTable />
          </Tabs.Panel>
        </Tabs>
      )}
      {resending && <ResendDialog receiver={narrowed} outcome={failed ?? anyFailure} onClose={close} />}
    </Page>
  );
}

/** The webhooks, in two columns if the width allows. */
function Cards() {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      {webhookTypes.map((type) => (
        <WebhookCard key={type} type={type} />
      ))}
    </SimpleGrid>
  );
}

/** Whether all configurations and endpoints are loaded: they determine the heights above the log, and the content below must not jump. */
function useAllAnswered(): boolean {
  const rewards = useQuery(webhookMethods.REWARDS.get, {});
  const publications = useQuery(webhookMethods.PUBLICATION_STATUS.get, {});
  const missions = useQuery(webhookMethods.MISSION_COMPLETED.get, {});
  const stock = useQuery(webhookMethods.STOCK_LOW.get, {});
  const endpoints = useQuery(WebhookEndpointService.method.listWebhookEndpoints);
  return [rewards, publications, missions, stock, endpoints].every(({ isFetched }) => isFetched);
}
