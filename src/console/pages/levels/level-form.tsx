import { type InputWrapperProps, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { LevelTrackAdminService } from '../../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import type { LevelTrack } from '../../../../gen/laurel/v1/level_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReferenceSelect } from '../../form/reference-select.tsx';
import { statistics } from '../../form/references.ts';
import { type ApiForm as Form, useApiForm } from '../../form/use-api-form.ts';
import { LevelFields } from './level-fields.tsx';
import { LevelPreview } from './level-preview.tsx';
import { downgrades, type LevelTrackValues, newTrackValues, trackDraft, trackValues } from './level-values.ts';

/** Hints of several lengths stand below the fields of a row, which begin at one height. */
const hintBelow: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error'];

/** Creates a level track, in a dialog. */
export function LevelForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('levels');
  const form = useApiForm({
    method: LevelTrackAdminService.method.createLevelTrack,
    initialValues: newTrackValues(),
    within: 'levelTrack',
    request: (values: LevelTrackValues) => ({ levelTrack: trackDraft(values) }),
    onDone(_answer, { code }) {
      notifyDone(t('created', { code }));
      onClose();
    },
  });
  return <TrackDialog form={form} title={t('create')} submit={t('submit')} onClose={onClose} />;
}

/** Changes a level track, in a dialog that first says how many accounts rise and fall. */
export function LevelEdit(props: { readonly track: LevelTrack; readonly onClose: () => void }) {
  const t = useTranslations('levels');
  const form$ = useTranslations('form');
  // Saving compares with the version read when the dialog opened, because the table behind it is refreshed meanwhile.
  const [{ id, version, code, ...track }] = useState(props.track);
  const form = useApiForm({
    method: LevelTrackAdminService.method.updateLevelTrack,
    initialValues: trackValues({ id, version, code, ...track }),
    within: 'levelTrack',
    request: (values: LevelTrackValues) => ({ id, version, levelTrack: trackDraft(values) }),
    onDone() {
      notifyDone(t('saved', { code }));
      props.onClose();
    },
  });
  return <TrackDialog form={form} title={t('edit', { code })} submit={form$('save')} onClose={props.onClose} stored />;
}

function TrackDialog(props: {
  readonly form: Form<LevelTrackValues>;
  readonly title: string;
  readonly submit: string;
  readonly onClose: () => void;
  /** Whether the track exists: then its code and its statistic are fixed. */
  readonly stored?: boolean;
}) {
  const t = useTranslations('levels');
  const { form, title, submit, onClose, stored = false } = props;
  const { getInputProps, values } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={title} size="xl">
      <ApiForm form={form} submit={submit} onCancel={onClose}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('code')}
            description={t('codeHint')}
            inputWrapperOrder={hintBelow}
            withAsterisk
            disabled={stored}
            data-autofocus={!stored || undefined}
            {...getInputProps('code')}
          />
          <TextInput
            label={t('name')}
            description={t('nameHint')}
            inputWrapperOrder={hintBelow}
            data-autofocus={stored || undefined}
            {...getInputProps('name')}
          />
        </SimpleGrid>
        <ReferenceSelect
          of={statistics}
          label={t('statistic')}
          description={t('statisticHint')}
          required
          disabled={stored}
          {...getInputProps('statisticCode')}
          value={values.statisticCode}
        />
        <LevelFields form={form.form} />
        <Select
          label={t('downgrade')}
          description={t(`downgradeHints.${values.downgrade}`)}
          inputWrapperOrder={hintBelow}
          allowDeselect={false}
          data={downgrades.map((value) => ({ value, label: t(`downgrades.${value}`) }))}
          {...getInputProps('downgrade')}
        />
        {values.downgrade !== 'NEVER' && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NumberInput
              label={t('holdDays')}
              description={t('holdDaysHint')}
              inputWrapperOrder={hintBelow}
              allowDecimal={false}
              {...getInputProps('holdDays')}
            />
            <NumberInput
              label={t('atRiskDays')}
              description={t('atRiskDaysHint')}
              inputWrapperOrder={hintBelow}
              allowDecimal={false}
              {...getInputProps('atRiskDays')}
            />
          </SimpleGrid>
        )}
        <Textarea label={t('note')} autosize minRows={2} {...getInputProps('description')} />
        <LevelPreview values={values} />
      </ApiForm>
    </FormDialog>
  );
}
