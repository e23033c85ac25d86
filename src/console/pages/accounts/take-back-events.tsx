import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { useQuery } from '@connectrpc/connect-query';
import { SimpleGrid, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  AccountAdminService,
  type ReverseTriggersOfAccountRequestSchema,
  type ReverseTriggersOfAccountResponse,
} from '../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { newOperationId } from '../../api/operation-id.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notifyDone } from '../../feedback/notify.tsx';
import { ApiForm } from '../../form/api-form.tsx';
import { FormDialog } from '../../form/form-dialog.tsx';
import { localTimeOf, momentOf } from '../../form/local-time.ts';
import { ReasonField } from '../../form/reason-dialog.tsx';
import { TimeField } from '../../form/time-field.tsx';
import { useApiForm } from '../../form/use-api-form.ts';
import { usePreferences } from '../../language/preferences.ts';

const method = AccountAdminService.method.reverseTriggersOfAccount;

const DAY = 86_400_000;

/** Milliseconds without typing after which the effect is asked for. */
const PAUSE = 300;

type Values = { since: string; until: string; reason: string };
type Request = MessageInitShape<typeof ReverseTriggersOfAccountRequestSchema>;

/** Takes the events of an account in a span back, in a dialog that shows by a rehearsal what will go. It starts with the last day. */
export function TakeBackEvents({ accountId, onClose }: { readonly accountId: string; readonly onClose: () => void }) {
  const t = useTranslations('support.takeBack');
  const leads = useTranslations('leads');
  const { timeZone } = usePreferences();
  // One for this dialog: a second press, or a try after a lost answer, takes effect once.
  const [operationId] = useState(newOperationId);
  const [now] = useState(() => Date.now());
  const initialValues: Values = { since: localTimeOf(timestampFromMs(now - DAY), timeZone), until: '', reason: '' };
  const spanOf = ({ since, until }: Pick<Values, 'since' | 'until'>): Request => ({
    ...{ accountId, since: momentOf(since, timeZone), until: momentOf(until, timeZone) },
  });
  const form = useApiForm({
    method,
    initialValues,
    request: (values: Values) => ({ ...spanOf(values), reason: values.reason, operationId }),
    onDone(answer) {
      notifyDone(t(answer.more ? 'doneMore' : 'done', { count: sumsOf(answer).events }));
      onClose();
    },
  });
  const { getInputProps, values } = form.form;
  const [{ since, until }] = useDebouncedValue(values, PAUSE);
  return (
    <FormDialog form={form} onClose={onClose} title={t('title')} size="lg">
      <ApiForm form={form} submit={t('submit')} destructive onCancel={onClose}>
        <Text size="sm">{t('hint')}</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TimeField
            label={leads('from')}
            description={leads('timesOf', { timeZone })}
            withAsterisk
            {...getInputProps('since')}
          />
          <TimeField label={leads('to')} description={t('untilHint')} {...getInputProps('until')} />
        </SimpleGrid>
        {since !== '' && <Rehearsal request={spanOf({ since, until })} />}
        <ReasonField {...getInputProps('reason')} />
      </ApiForm>
    </FormDialog>
  );
}

function Rehearsal({ request }: { readonly request: Request }) {
  const t = useTranslations('support.takeBack');
  // A rehearsal is rolled back, so it may be asked like a read; the answer of a minute ago may be wrong by now.
  const { data, error } = useQuery(method, { ...request, reason: 'Rehearsal', dryRun: true }, { gcTime: 0 });
  if (error) return <FailureAlert error={error} />;
  if (data === undefined) return <Text size="sm">{t('pending')}</Text>;
  return (
    <Text size="sm" fw={500} aria-live="polite">
      {t('effect', sumsOf(data))}
      {data.more && ` ${t('more')}`}
    </Text>
  );
}

/** The sums over the events. */
function sumsOf({ results }: ReverseTriggersOfAccountResponse) {
  const reversed = results.flatMap(({ outcome }) => (outcome.case === 'result' ? outcome.value : []));
  const rewards = reversed.flatMap((event) => event.rewards);
  return {
    events: reversed.length,
    refused: results.length - reversed.length,
    taken: rewards.filter(({ amountReversed }) => amountReversed > 0).length,
    kept: rewards.filter(({ amountKept }) => amountKept > 0).length,
    debt: rewards.reduce((sum, { debt = 0 }) => sum + debt, 0),
  };
}
