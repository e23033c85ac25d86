import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Vacation } from '../../../../gen/laurel/v1/vacation_pb.ts';
import { VacationService } from '../../../../gen/laurel/v1/vacation_service_pb.ts';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { DayField } from '../../form/time-field.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { dayAfter, dayBefore } from '../timeline/day-before.ts';

/** People name the last day of a vacation, the API the day after it. */
type Values = { vacations: { since: string; until: string }[] };

/** Announces vacations for an account, in place of its days that have not begun. */
export function AnnounceVacations(props: {
  readonly accountId: string;
  readonly vacations: readonly Vacation[];
  /** The present day of the account. */
  readonly today: string;
  readonly onClose: () => void;
}) {
  const t = useTranslations('accounts.vacations');
  const form$ = useTranslations('form');
  // The table behind the dialog may be refreshed.
  const [ahead] = useState(() =>
    props.vacations
      .filter(({ until }) => until > props.today)
      .map(({ since, until }) => ({ since, until: dayBefore(until) })),
  );
  const { accountId } = props;
  const tomorrow = dayAfter(props.today);
  const form = useApiForm({
    method: VacationService.method.announceVacations,
    initialValues: { vacations: ahead.length > 0 ? ahead : [{ since: '', until: '' }] },
    request: ({ vacations }: Values) => ({
      accountId,
      vacations: vacations
        .filter(({ since, until }) => since !== '' || until !== '')
        .map(({ since, until }) => ({ since, until: until === '' ? '' : dayAfter(until) })),
    }),
    onDone() {
      notifyDone(t('done'));
      props.onClose();
    },
  });
  const { getInputProps, values, insertListItem, removeListItem } = form.form;
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('change')}>
      <ApiForm form={form} submit={form$('save')} onCancel={props.onClose}>
        <Text size="sm">{t('changeHint')}</Text>
        <Stack gap="sm">
          {values.vacations.map((vacation, index) => (
            <Group key={index} align="flex-end" wrap="nowrap" gap="xs">
              <DayField
                label={t('first')}
                style={{ flex: 1, minWidth: 0 }}
                min={vacation.since !== '' && vacation.since < tomorrow ? vacation.since : tomorrow}
                data-autofocus={index === 0}
                {...getInputProps(`vacations.${index}.since`)}
              />
              <DayField
                label={t('last')}
                style={{ flex: 1, minWidth: 0 }}
                min={vacation.since}
                {...getInputProps(`vacations.${index}.until`)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={t('remove', { number: index + 1 })}
                onClick={() => removeListItem('vacations', index)}
              >
                <X size={16} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
        <Group>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Plus size={14} />}
            onClick={() => insertListItem('vacations', { since: '', until: '' })}
          >
            {t('add')}
          </Button>
        </Group>
      </ApiForm>
    </FormDialog>
  );
}
