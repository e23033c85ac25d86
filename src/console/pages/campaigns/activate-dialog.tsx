import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useMutation, useQuery } from '@connectrpc/connect-query';
import { Alert, Button, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import {
  type ActivationPreview_Cost,
  type ActivationPreview_Finding,
  CampaignAdminService,
} from '../../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { type Campaign, Campaign_Status } from '../../../../gen/laurel/v1/campaign_pb.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { useServiceWords } from '../../language/use-service-words.ts';
import { notifyDone } from '../../feedback/notify.tsx';

/** Asks for confirmation of an activation and lists its effects. */
export function ActivateDialog({ campaign, onClose }: { readonly campaign: Campaign; readonly onClose: () => void }) {
  const t = useTranslations('campaigns');
  const form = useTranslations('form');
  const format = useFormatter();
  const { id, name } = campaign;
  // The campaign at the opening of the dialog, because the page behind it refreshes after changes of other users.
  const [{ version }] = useState(campaign);
  const resumes = campaign.status === Campaign_Status.PAUSED;
  const startsAt = campaign.startsAt && timestampDate(campaign.startsAt);
  const { data, error, dataUpdatedAt } = useQuery(
    CampaignAdminService.method.getActivationPreview,
    { id },
    { staleTime: 0 },
  );
  const activate = useMutation(CampaignAdminService.method.activateCampaign, { meta: { showsError: true } });
  const preview = data?.preview;

  function confirm(): void {
    const onSuccess = () => {
      notifyDone(t(resumes ? 'resumed' : 'activated', { name }));
      onClose();
    };
    activate.mutate({ id, version }, { onSuccess });
  }

  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': form('close') }}
      title={t(resumes ? 'resumeTitle' : 'activateTitle', { name })}
      size="lg"
    >
      <Stack gap="md">
        {preview === undefined && error === null && <Skeleton h={72} />}
        {preview && (
          <Text>
            {t.rich('touches', {
              members: preview.members,
              count: format.number(preview.members),
              b: (text) => <b>{text}</b>,
            })}
          </Text>
        )}
        {preview?.cost && <CostText cost={preview.cost} />}
        {preview && startsAt && startsAt.getTime() > dataUpdatedAt && (
          <Text>{t('beginsLater', { moment: format.dateTime(startsAt, 'moment') })}</Text>
        )}
        {preview && preview.problems.length > 0 && (
          <Findings title={t('problems')} color="red" findings={preview.problems} />
        )}
        {preview && preview.warnings.length > 0 && (
          <Findings title={t('warnings')} color="yellow" findings={preview.warnings} />
        )}
        {(error ?? activate.error) !== null && <FailureAlert error={error ?? activate.error} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('notNow')}
          </Button>
          <Button onClick={confirm} loading={activate.isPending} disabled={(preview?.problems.length ?? 1) > 0}>
            {t(resumes ? 'resume' : 'activate')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The most that the campaign can cost, together and for each account. */
function CostText({ cost }: { readonly cost: ActivationPreview_Cost }) {
  const t = useTranslations('campaigns');
  const format = useFormatter();
  const listed = (points: number, units: readonly string[]) =>
    format.list([...(points > 0 ? [t('costPoints', { points })] : []), ...units]);
  const products = cost.products.filter(({ unitsEach }) => unitsEach > 0);
  const all = listed(
    cost.points,
    products.map(({ productName, units }) => t('costUnits', { name: productName, units })),
  );
  const each = listed(
    cost.pointsEach,
    products.map(({ productName, unitsEach }) => t('costUnits', { name: productName, units: unitsEach })),
  );
  return (
    <Stack gap="sm">
      {cost.unbounded.length > 0 && <Findings title={t('costUnbounded')} color="yellow" findings={cost.unbounded} />}
      {each !== '' && (
        <Text>
          {t.rich(cost.unbounded.length > 0 ? 'costOfOthers' : 'cost', { all, each, b: (text) => <b>{text}</b> })}
        </Text>
      )}
    </Stack>
  );
}

/** Problems or likely mistakes of a campaign, each once. */
export function Findings(props: {
  readonly title: string;
  readonly color: string;
  readonly findings: readonly ActivationPreview_Finding[];
}) {
  const wordsOf = useServiceWords();
  return (
    <Alert color={props.color} title={props.title}>
      <List size="sm" spacing={4}>
        {/* Several fields may have the same fault, which is shown once. */}
        {[...new Set(props.findings.map(wordsOf))].map((words) => (
          <List.Item key={words}>{words}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
