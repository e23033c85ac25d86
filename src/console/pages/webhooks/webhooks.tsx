import { SimpleGrid, Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../../shell/page.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { WaitingTable } from './waiting-table.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { webhookTypes } from './webhook-methods.ts';

/** The webhooks, and below them what was sent and what waits. */
export function Webhooks() {
  const t = useTranslations('webhooks');
  const [params, setParams] = useSearchParams();
  const tab = params.get('tab') === 'waiting' ? 'waiting' : 'log';
  return (
    <Page title={t('title')} description={t('description')}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {webhookTypes.map((type) => (
          <WebhookCard key={type} type={type} />
        ))}
      </SimpleGrid>
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
          <DeliveryTable />
        </Tabs.Panel>
        <Tabs.Panel value="waiting">
          <WaitingTable />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
