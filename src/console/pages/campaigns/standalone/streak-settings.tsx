import { Button, Divider, NumberInput, SimpleGrid } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Flame } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ClientAdminService } from '../../../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import type { Client } from '../../../../../gen/laurel/admin/v1/client_pb.ts';
import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import { notifyDone } from '../../../feedback/notify.tsx';
import { ApiForm } from '../../../form/api-form.tsx';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useApiForm } from '../../../form/use-api-form.ts';
import { Allowed } from '../../../session/allowed.tsx';
import { useSession, useSessionKeeper } from '../../../session/session-context.tsx';

/** Opens the settings of streaks of the client that is worked for. */
export function StreakSettingsButton() {
  const t = useTranslations('campaigns.streakSettings');
  const { client } = useSession();
  const [editing, { open, close }] = useDisclosure(false);
  if (client === undefined) return null;
  return (
    <Allowed to={Permission.KEEP_CLIENT}>
      <Button variant="default" leftSection={<Flame size={16} aria-hidden />} onClick={open}>
        {t('title')}
      </Button>
      {editing && <StreakSettingsForm client={client} onClose={close} />}
    </Allowed>
  );
}

/** An emptied number is a text. */
type Fields = Record<
  'freezesMax' | 'freezePrice' | 'vacationDaysMax' | 'atRiskHours' | 'atRiskLength',
  number | string
>;
type Values = { streaks: Fields };

/** A number of a field; undefined for an empty one. */
function optional(value: number | string): number | undefined {
  return value === '' ? undefined : Number(value);
}

function StreakSettingsForm(props: { readonly client: Client; readonly onClose: () => void }) {
  const t = useTranslations('campaigns.streakSettings');
  const form$ = useTranslations('form');
  const keeper = useSessionKeeper();
  // Saving compares with the version read when the dialog opened.
  const [{ id, version, name, timeZone, streaks: stored }] = useState(props.client);
  const initialValues: Values = {
    streaks: {
      freezesMax: stored?.freezesMax ?? 0,
      freezePrice: stored?.freezePrice ?? '',
      vacationDaysMax: stored?.vacationDaysMax ?? 0,
      atRiskHours: stored?.atRiskHours ?? '',
      atRiskLength: stored?.atRiskLength ?? '',
    },
  };
  const form = useApiForm({
    method: ClientAdminService.method.updateClient,
    initialValues,
    request: ({ streaks }: Values) => ({
      ...{ id, version, name, timeZone },
      streaks: {
        freezesMax: Number(streaks.freezesMax),
        freezePrice: optional(streaks.freezePrice),
        vacationDaysMax: Number(streaks.vacationDaysMax),
        atRiskHours: optional(streaks.atRiskHours),
        atRiskLength: optional(streaks.atRiskLength),
      },
    }),
    async onDone() {
      notifyDone(t('saved'));
      props.onClose();
      await keeper.reload();
    },
  });
  const field = (name: keyof Fields) => ({
    label: t(name),
    description: t(`${name}Hint`),
    allowDecimal: false,
    allowNegative: false,
    ...form.form.getInputProps(`streaks.${name}`),
  });
  return (
    <FormDialog form={form} onClose={props.onClose} title={t('title')} size="lg">
      <ApiForm form={form} submit={form$('save')} onCancel={props.onClose}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
          <NumberInput data-autofocus {...field('freezesMax')} />
          <NumberInput {...field('freezePrice')} />
        </SimpleGrid>
        <Divider />
        <NumberInput {...field('vacationDaysMax')} />
        <Divider />
        <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
          <NumberInput {...field('atRiskHours')} />
          <NumberInput {...field('atRiskLength')} />
        </SimpleGrid>
      </ApiForm>
    </FormDialog>
  );
}
