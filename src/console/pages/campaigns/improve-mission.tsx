import { useQuery } from '@connectrpc/connect-query';
import { Alert, Button, NumberInput } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { TrendingUp } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { MissionAdminService } from '../../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import type { Mission } from '../../../../gen/laurel/v1/mission_pb.ts';
import { failureOf, failureOfQuery } from '../../api/failure.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReferenceMultiSelect } from '../../form/reference-select.tsx';
import { rewards } from '../../form/references.ts';
import { useApiForm } from '../../form/use-api-form.ts';
import { useServiceWords } from '../../language/use-service-words.ts';
import { Allowed } from '../../session/allowed.tsx';
import { Findings } from './activate-dialog.tsx';
import { hasField, missionTypeName } from './mission-types.ts';

const method = MissionAdminService.method.improveMission;

/** Rewards of one mission. */
const REWARDS_MAX = 10;

type Improved = {
  readonly mission: Mission;
  /** The version of the campaign, or of the standalone mission. */
  readonly version: number;
};

/** Opens the dialog in which a mission becomes easier or worth more while accounts play it. */
export function ImproveMission(props: Improved) {
  const t = useTranslations('campaigns.improve');
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Allowed to={Permission.KEEP_CAMPAIGNS}>
      <Button variant="default" leftSection={<TrendingUp size={16} aria-hidden />} onClick={open}>
        {t('name')}
      </Button>
      {isOpen && <ImproveDialog {...props} onClose={close} />}
    </Allowed>
  );
}

type Values = { target: number | ''; rewardIds: string[] };

function ImproveDialog(props: Improved & { readonly onClose: () => void }) {
  const t = useTranslations('campaigns.improve');
  // As they were at the opening: the page behind the dialog may be refreshed.
  const [{ mission, version }] = useState(props);
  const { id, name } = mission;
  const requestOf = ({ target, rewardIds }: Values) => {
    return { id, version, target: target === '' ? undefined : target, rewardIds };
  };
  const form = useApiForm({
    method,
    initialValues: { target: '', rewardIds: [] },
    request: requestOf,
    onDone() {
      notifyDone(t('done', { name }));
      props.onClose();
    },
  });
  const { getInputProps, values } = form.form;
  const canLower = hasField(missionTypeName(mission.type), 'repeat') && mission.repeat === undefined;
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('title', { name })}>
      <ApiForm form={form} submit={t('submit')} onCancel={props.onClose}>
        {canLower && (
          <NumberInput
            label={t('target')}
            description={t('targetHint', { target: mission.target })}
            decimalScale={4}
            allowNegative={false}
            data-autofocus
            {...getInputProps('target')}
          />
        )}
        <ReferenceMultiSelect
          of={rewards}
          label={t('rewards')}
          description={t('rewardsHint')}
          maxValues={REWARDS_MAX - mission.rewardIds.length}
          {...getInputProps('rewardIds')}
        />
        <Effect request={requestOf(values)} />
      </ApiForm>
    </FormDialog>
  );
}

/** The effect of the change, before it is made. */
function Effect({ request }: { readonly request: { target: number | undefined; rewardIds: string[] } }) {
  const t = useTranslations('campaigns.improve');
  const of = useTranslations('campaigns');
  const words = useServiceWords();
  const [asked] = useDebouncedValue(request, 300);
  const isEmpty = asked.target === undefined && asked.rewardIds.length === 0;
  // A rehearsal is rolled back, so it may be asked like a read; the answer of a minute ago may be wrong by now.
  const query = useQuery(method, { ...asked, dryRun: true }, { enabled: !isEmpty, gcTime: 0, retry: false });
  const failure = failureOfQuery(query);
  const { data } = query;
  const textOf = () => {
    if (isEmpty) return t('nothing');
    if (failure !== null) return words(failureOf(failure));
    if (data === undefined) return t('pending');
    return asked.target === undefined ? t('added') : t('reached', { count: data.reachedAccounts });
  };
  const warnings = isEmpty ? [] : (data?.warnings ?? []);
  return (
    <>
      <Alert color={failure === null ? 'blue' : 'yellow'} role="status">
        {textOf()}
      </Alert>
      {warnings.length > 0 && <Findings title={of('warnings')} color="yellow" findings={warnings} />}
    </>
  );
}
