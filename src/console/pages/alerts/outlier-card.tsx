import { Button, Card, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Pencil } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { Allowed } from '../../session/allowed.tsx';
import { useSession } from '../../session/session-context.tsx';
import { ClientNumberForm } from '../clients/client-number-form.tsx';

/** The threshold that the dialog proposes: rare in ordinary traffic. */
const PROPOSED = 10;

/** Whether accounts far above the usual need attention, a setting of the client. */
export function OutlierCard() {
  const t = useTranslations('alerts.outliers');
  const { client } = useSession();
  const [editing, { open, close }] = useDisclosure(false);
  if (client === undefined) return null;
  const { outlierThreshold: threshold } = client;
  return (
    <Card component="section" aria-labelledby="alerts-outliers">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="alerts-outliers">
          {t('title')}
        </Title>
        <Allowed to={Permission.KEEP_CLIENT}>
          <Button variant="default" leftSection={<Pencil size={16} />} onClick={open}>
            {t('edit')}
          </Button>
        </Allowed>
      </Group>
      <Text size="sm">{threshold === 0 ? t('off') : t('on', { threshold })}</Text>
      <Text size="sm" c="dimmed">
        {t('hint')}
      </Text>
      {editing && (
        <ClientNumberForm
          client={client}
          field="outlierThreshold"
          proposed={PROPOSED}
          title={t('title')}
          label={t('threshold')}
          hint={t('thresholdHint')}
          saved={t('saved')}
          onClose={close}
        />
      )}
    </Card>
  );
}
