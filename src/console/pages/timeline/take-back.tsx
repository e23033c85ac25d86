import { useQuery } from '@connectrpc/connect-query';
import { Anchor } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslations } from 'use-intl';
import { AccountAdminService } from '../../../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { type JournalEntry, JournalEntry_Effect as Effect } from '../../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { useStoredWords } from '../../language/use-service-words.ts';
import { ReasonDialog } from '../../form/reason-dialog.tsx';
import { Allowed } from '../../session/allowed.tsx';

const method = AccountAdminService.method.reverseTriggersOfAccount;

/** Entries that are no events. */
const WITHOUT_EVENT: ReadonlySet<Effect> = new Set([Effect.REVERSED, Effect.RESTORED, Effect.TARGET_LOWERED]);

/** Takes an event back that advanced missions, after a rehearsal that says what will go. */
export function TakeBack({ event }: { readonly event: JournalEntry }) {
  const t = useTranslations('timeline.takeBack');
  const [isOpen, { open, close }] = useDisclosure(false);
  const { accountId, id, effect, missions } = event;
  if (accountId === undefined || WITHOUT_EVENT.has(effect) || missions.length === 0) return null;
  return (
    <Allowed to={Permission.SUPPORT_ACCOUNTS}>
      <Anchor component="button" type="button" inherit onClick={open}>
        {t('name')}
      </Anchor>
      {isOpen && <TakeBackDialog accountId={accountId} entryId={id} onClose={close} />}
    </Allowed>
  );
}

function TakeBackDialog(props: { readonly accountId: string; readonly entryId: string; readonly onClose: () => void }) {
  const t = useTranslations('timeline.takeBack');
  const input = { accountId: props.accountId, journalEntryIds: [props.entryId] };
  return (
    <ReasonDialog
      method={method}
      input={input}
      title={t('title')}
      hint={useEffectOf(input)}
      submit={t('name')}
      done={t('done')}
      destructive
      onClose={props.onClose}
    />
  );
}

/** The effect of a reversal, as a sentence, before it is done. */
function useEffectOf(input: { readonly accountId: string; readonly journalEntryIds: string[] }): string {
  const t = useTranslations('timeline.takeBack');
  const words = useStoredWords();
  // A rehearsal is rolled back, so it may be asked like a read; the answer of a minute ago may be wrong by now.
  const { data, error } = useQuery(method, { ...input, reason: 'Rehearsal', dryRun: true }, { gcTime: 0 });
  if (error) return t('unknown');
  const outcome = data?.results[0]?.outcome;
  if (outcome?.case === 'error') return words(outcome.value.message);
  if (outcome?.case !== 'result') return t('pending');
  const { amount, missions, rewards } = outcome.value;
  return t('effect', {
    amount,
    missions: missions.length,
    taken: rewards.filter(({ amountReversed }) => amountReversed > 0).length,
    kept: rewards.filter(({ amountKept }) => amountKept > 0).length,
    debt: rewards.reduce((sum, { debt = 0 }) => sum + debt, 0),
  });
}
