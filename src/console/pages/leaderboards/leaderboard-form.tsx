import { type InputWrapperProps, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslations } from 'use-intl';
import {
  LeaderboardAdminService,
  type LeaderboardDefinition,
} from '../../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { AttributeDefinition_Type } from '../../../../gen/laurel/v1/attribute_pb.ts';
import { Leaderboard_Status } from '../../../../gen/laurel/v1/leaderboard_pb.ts';
import { useAccountAttributes } from '../../attributes/use-account-attributes.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { ReferenceMultiSelect, ReferenceSelect } from '../../form/reference-select.tsx';
import { audiences, statistics } from '../../form/references.ts';
import { type ApiForm as Form, useApiForm } from '../../form/use-api-form.ts';
import {
  leaderboardDraft,
  type LeaderboardValues,
  leaderboardValues,
  newLeaderboardValues,
  orders,
} from './leaderboard-values.ts';
import { LeagueFields, LeagueTemplate } from './league-fields.tsx';
import { PrizeFields } from './prize-fields.tsx';

/** As many audiences as a leaderboard may have. */
const MOST_AUDIENCES = 20;

/** Hints of several lengths stand below the fields of a row, which begin at one height. */
const hintBelow: NonNullable<InputWrapperProps['inputWrapperOrder']> = ['label', 'input', 'description', 'error'];

/** Creates a leaderboard in a dialog, and opens its page. */
export function LeaderboardForm({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('leaderboards');
  const navigate = useNavigate();
  const check = usePrizeCheck();
  const form = useApiForm({
    method: LeaderboardAdminService.method.createLeaderboard,
    initialValues: newLeaderboardValues,
    within: 'leaderboard',
    request: (values) => ({ leaderboard: leaderboardDraft(values) }),
    check,
    async onDone({ leaderboard }, { name }) {
      notifyDone(t('created', { name }));
      onClose();
      await navigate(`/leaderboards/${leaderboard?.id ?? ''}`);
    },
  });
  return <LeaderboardDialog form={form} title={t('create')} submit={t('submit')} onClose={onClose} isNew />;
}

/** Changes a leaderboard, in a dialog. */
export function LeaderboardEdit(props: { readonly board: LeaderboardDefinition; readonly onClose: () => void }) {
  const t = useTranslations('leaderboards');
  const form$ = useTranslations('form');
  // Saving compares with the version read when the dialog opened, because the page behind it is refreshed meanwhile.
  const [board] = useState(props.board);
  const { id, version, name, status } = board;
  const check = usePrizeCheck();
  const form = useApiForm({
    method: LeaderboardAdminService.method.updateLeaderboard,
    initialValues: leaderboardValues(board),
    within: 'leaderboard',
    request: (values: LeaderboardValues) => ({ id, version, leaderboard: leaderboardDraft(values) }),
    check,
    onDone(_answer, values) {
      notifyDone(t('saved', { name: values.name }));
      props.onClose();
    },
  });
  return (
    <LeaderboardDialog
      form={form}
      title={t('edit', { name })}
      submit={form$('save')}
      onClose={props.onClose}
      isFixed={status !== Leaderboard_Status.DRAFT}
    />
  );
}

/** The faults of prizes, which the rules of the request do not have. */
function usePrizeCheck(): (values: LeaderboardValues) => Record<string, string | undefined> {
  const t = useTranslations('rules');
  return ({ prizes }) =>
    Object.fromEntries(
      prizes.flatMap(({ firstRank, end, lastRank, topShare, rewardIds }, index) => {
        const path = `prizes.${index}`;
        const isShare = topShare !== '' && topShare > 0 && topShare <= 100;
        return [
          [`${path}.firstRank`, firstRank === '' ? t('required') : undefined],
          [`${path}.lastRank`, end === 'RANK' && lastRank === '' ? t('required') : undefined],
          [
            `${path}.topShare`,
            end === 'SHARE' && !isShare ? t('aboveUpTo', { number: '0', second: '100' }) : undefined,
          ],
          [`${path}.rewardIds`, rewardIds.length === 0 ? t('minItems', { number: '1' }) : undefined],
        ];
      }),
    );
}

function LeaderboardDialog(props: {
  readonly form: Form<LeaderboardValues>;
  readonly title: string;
  readonly submit: string;
  readonly onClose: () => void;
  /** Whether it was activated: then the fields that decide about entries are fixed. */
  readonly isFixed?: boolean;
  /** Whether it is being created: then a template is offered. */
  readonly isNew?: boolean;
}) {
  const t = useTranslations('leaderboards');
  const { form, title, submit, onClose, isFixed = false, isNew = false } = props;
  const { getInputProps, values } = form.form;
  return (
    <FormDialog form={form} onClose={onClose} title={title} size="xl">
      <ApiForm form={form} submit={submit} onCancel={onClose}>
        {isNew && <LeagueTemplate form={form.form} />}
        <TextInput label={t('name')} withAsterisk data-autofocus {...getInputProps('name')} />
        <Textarea label={t('note')} autosize minRows={2} {...getInputProps('description')} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ReferenceSelect
            of={statistics}
            label={t('statistic')}
            description={t(isFixed ? 'fixed' : 'statisticHint')}
            required
            disabled={isFixed}
            {...getInputProps('statisticCode')}
            value={values.statisticCode}
          />
          <Select
            label={t('order')}
            description={t(isFixed ? 'fixed' : 'orderHint')}
            allowDeselect={false}
            disabled={isFixed}
            data={orders.map((value) => ({ value, label: t(`orders.${value}`) }))}
            {...getInputProps('order')}
          />
        </SimpleGrid>
        <ReferenceMultiSelect
          of={audiences}
          label={t('audiences')}
          description={t(isFixed ? 'fixed' : 'audiencesHint')}
          placeholder={values.audienceIds.length === 0 ? t('everyone') : ''}
          disabled={isFixed}
          maxValues={MOST_AUDIENCES}
          {...getInputProps('audienceIds')}
          value={values.audienceIds}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <NumberInput
            label={t('entriesShown')}
            description={t('entriesShownHint')}
            inputWrapperOrder={hintBelow}
            allowDecimal={false}
            {...getInputProps('entriesShown')}
          />
          <DisplayName {...getInputProps('displayNameAttribute')} />
          <NumberInput
            label={t('lateHours')}
            description={t(isFixed ? 'fixed' : values.hasLeagues ? 'noLateHours' : 'lateHoursHint')}
            inputWrapperOrder={hintBelow}
            allowDecimal={false}
            disabled={isFixed || values.hasLeagues}
            {...getInputProps('lateHours')}
            {...(values.hasLeagues ? { value: 0 } : {})}
          />
        </SimpleGrid>
        <LeagueFields form={form.form} isFixed={isFixed} />
        <PrizeFields form={form.form} />
      </ApiForm>
    </FormDialog>
  );
}

/** Chooses the attribute that other accounts see; personal ones are not offered. */
function DisplayName({ value, onChange, ...field }: ReturnType<Form<LeaderboardValues>['form']['getInputProps']>) {
  const t = useTranslations('leaderboards');
  const offered = (useAccountAttributes()?.attributes ?? [])
    .filter(({ type, personal }) => type === AttributeDefinition_Type.STRING && !personal)
    .map(({ name }) => name);
  return (
    <Select
      label={t('displayName')}
      description={t('displayNameHint')}
      inputWrapperOrder={hintBelow}
      placeholder={t('noNames')}
      clearable
      data={[...new Set([...(value === '' ? [] : [value]), ...offered])]}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
      {...field}
    />
  );
}
