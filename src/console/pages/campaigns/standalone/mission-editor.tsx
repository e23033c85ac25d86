import { Alert, Card, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import { MissionAdminService } from '../../../../../gen/laurel/admin/v1/mission_admin_service_pb.ts';
import type { Mission } from '../../../../../gen/laurel/v1/mission_pb.ts';
import { notifyDone } from '../../../feedback/notify.tsx';
import { ApiForm } from '../../../form/api-form.tsx';
import { ReferenceSelect } from '../../../form/reference-select.tsx';
import { audiences } from '../../../form/references.ts';
import { TimeField } from '../../../form/time-field.tsx';
import { UnsavedChanges } from '../../../form/unsaved-changes.tsx';
import { useApiForm } from '../../../form/use-api-form.ts';
import { usePreferences } from '../../../language/preferences.ts';
import {
  missionDraftOf,
  type MissionValues,
  missionValuesOf,
  newMilestone,
  newMission,
} from '../editor/campaign-values.ts';
import { ConditionFields } from '../editor/condition-fields.tsx';
import { newAudiences } from '../editor/inline-create-forms.ts';
import { MissionFields } from '../editor/mission-fields.tsx';
import { hasField } from '../mission-types.ts';
import { useMissionCheck } from '../editor/use-campaign-check.ts';
import { MilestoneFields } from './milestone-fields.tsx';
import { missionState } from './mission-state.tsx';

type Values = MissionValues & { audienceId: string };

/** Writes a standalone mission: a new one, or `mission` again. */
export function MissionEditor(props: {
  readonly mission?: Mission;
  /** Reads the mission as it is stored now. */
  readonly readStored?: () => Promise<Mission>;
  /** Reads the mission again after a change by another user, and drops the input. */
  readonly onReload?: () => void;
}) {
  const t = useTranslations('campaigns.standalone');
  const of = useTranslations('campaigns');
  const { mission, readStored } = props;
  const { timeZone } = usePreferences();
  const navigate = useNavigate();
  const [conditions, setConditions] = useState(false);
  const [now] = useState(() => Date.now());
  const form = useMissionForm(mission, (paths) => {
    if (paths.some((path) => path.startsWith('conditions.'))) setConditions(true);
  });
  const { getInputProps, values } = form.form;
  // Once it is offered, only texts and the end may change.
  const locked = mission !== undefined && missionState(mission, now) !== 'COMING';
  return (
    <ApiForm
      form={form}
      submit={mission ? of('save') : t('submit')}
      onCancel={() => void navigate(-1)}
      readStored={readStored && (async () => formValuesOf(await readStored(), timeZone))}
      onReadAgain={props.onReload}
    >
      {locked && (
        <Alert color="blue" title={t('lockedTitle')}>
          {t('locked')}
        </Alert>
      )}
      <Card>
        <MissionFields
          form={{ values, getInputProps }}
          locked={locked}
          milestones={
            hasField(values.type, 'milestones') && (
              <MilestoneFields
                form={{ values, getInputProps }}
                locked={locked}
                onAdd={() => form.form.insertListItem('milestones', newMilestone())}
                onRemove={(index) => form.form.removeListItem('milestones', index)}
              />
            )
          }
        >
          <ReferenceSelect
            of={audiences}
            make={newAudiences}
            label={t('audience')}
            description={t('audienceHint')}
            required
            disabled={mission !== undefined}
            {...getInputProps('audienceId')}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TimeField
              label={of('startsAt')}
              description={t('startsAtHint', { timeZone })}
              disabled={locked}
              {...getInputProps('startsAt')}
            />
            {!hasField(values.type, 'endsAt') && (
              <TimeField label={of('endsAt')} description={of('endsAtHint')} {...getInputProps('endsAt')} />
            )}
          </SimpleGrid>
          <Stack gap="md">
            <ConditionFields
              form={{ values, getInputProps }}
              locked={locked}
              opened={conditions}
              onToggle={() => setConditions(!conditions)}
            />
          </Stack>
        </MissionFields>
      </Card>
      <UnsavedChanges when={form.form.isDirty() && !form.pending} />
    </ApiForm>
  );
}

function formValuesOf(mission: Mission, timeZone: string): Values {
  return { ...missionValuesOf(mission, timeZone), audienceId: mission.audienceId ?? '' };
}

function useMissionForm(mission: Mission | undefined, onFaults: (paths: readonly string[]) => void) {
  const t = useTranslations('campaigns.standalone');
  const choose = useTranslations('rules')('choose');
  const { timeZone } = usePreferences();
  const navigate = useNavigate();
  const check = useMissionCheck();
  const { updateMission, createMission } = MissionAdminService.method;
  return useApiForm({
    // Both take the draft in the same field, and answer with the mission.
    method: (mission ? updateMission : createMission) as typeof createMission,
    within: 'mission',
    initialValues: mission ? formValuesOf(mission, timeZone) : { ...newMission('MISSION'), audienceId: '' },
    request: (values: Values) => ({
      mission: { ...missionDraftOf(values, timeZone), id: undefined, key: undefined },
      ...(mission ? { id: mission.id, version: mission.version ?? 0 } : { audienceId: values.audienceId }),
    }),
    check: (values) => ({ ...check(values), audienceId: values.audienceId === '' ? choose : undefined }),
    onFaults,
    async onDone(answer, { name }) {
      notifyDone(t(mission ? 'saved' : 'created', { name }));
      await navigate(`/campaigns/missions/${answer.mission?.id ?? mission?.id}`);
    },
  });
}
