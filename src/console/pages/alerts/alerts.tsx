import { useQuery } from '@connectrpc/connect-query';
import { Button, Card, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pencil } from 'lucide-react';
import { useTranslations } from 'use-intl';
import {
  AlertAdminService,
  type AlertSettings,
  AlertSettings_Language as Language,
} from '../../../../gen/laurel/admin/v1/alert_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { failureOfQuery } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { languages } from '../../language/preferences.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Facts } from '../../shell/facts.tsx';
import { Page } from '../../shell/page.tsx';
import { causeKindName } from '../overview/cause-kinds.ts';
import { AlertForm } from './alert-form.tsx';
import { ChannelCard } from './channel-card.tsx';
import { OutlierCard } from './outlier-card.tsx';

/** The alert settings, the state of the channels, and the actions to test and change them. */
export function Alerts() {
  const t = useTranslations('alerts');
  const query = useQuery(AlertAdminService.method.getAlertSettings);
  const error = failureOfQuery(query);
  const settings = query.data?.settings;
  const [editing, { open, close }] = useDisclosure(false);
  return (
    <Page title={t('title')} description={t('description')} width={960}>
      {error !== null && <FailureAlert error={error} retry={() => void query.refetch()} />}
      {error === null && settings === undefined && <Skeleton h={320} />}
      {settings && (
        <Stack gap="md">
          <Settings settings={settings} onEdit={open} />
          <OutlierCard />
        </Stack>
      )}
      {settings && editing && <AlertForm settings={settings} onClose={close} onSaved={() => void query.refetch()} />}
    </Page>
  );
}

function Settings({ settings, onEdit }: { readonly settings: AlertSettings; readonly onEdit: () => void }) {
  const t = useTranslations('alerts');
  const { channels } = settings;
  if (channels.length === 0)
    return (
      <Card component="section" aria-label={t('none')}>
        <Stack gap="md" align="flex-start">
          <div>
            <Text fw={600}>{t('none')}</Text>
            <Text size="sm" c="dimmed">
              {t('noneHint')}
            </Text>
          </div>
          <Allowed to={Permission.KEEP_CLIENT}>
            <Button onClick={onEdit}>{t('setUp')}</Button>
          </Allowed>
        </Stack>
      </Card>
    );
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {channels.map((channel) => (
          <ChannelCard key={channel.kind} channel={channel} settings={settings} />
        ))}
      </SimpleGrid>
      <Card component="section" aria-labelledby="alerts-what">
        <Group justify="space-between" mb="md">
          <Title order={2} id="alerts-what">
            {t('what')}
          </Title>
          <Allowed to={Permission.KEEP_CLIENT}>
            <Button variant="default" leftSection={<Pencil size={16} />} onClick={onEdit}>
              {t('edit')}
            </Button>
          </Allowed>
        </Group>
        <What settings={settings} />
      </Card>
    </Stack>
  );
}

function What({ settings }: { readonly settings: AlertSettings }) {
  const t = useTranslations('alerts');
  const { causes, language, quietHours, reminderHours } = settings;
  const kindsInWords = causes.map((kind) => t(`kinds.${causeKindName(kind)}`)).join(' · ');
  return (
    <Facts
      facts={[
        [t('causes'), causes.length === 0 ? t('allCauses') : kindsInWords],
        [t('language'), languages[language === Language.ES ? 'es' : 'en']],
        [
          t('quiet'),
          quietHours
            ? t('quietText', { from: quietHours.timeFrom, to: quietHours.timeTo, zone: quietHours.timeZone })
            : t('noQuiet'),
        ],
        [t('reminder'), reminderHours ? t('reminderText', { hours: reminderHours }) : t('noReminder')],
      ]}
    />
  );
}
