import { timestampDate } from '@bufbuild/protobuf/wkt';
import { useMutation } from '@connectrpc/connect-query';
import { Button, Text } from '@mantine/core';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { Permission } from '../../../../../gen/laurel/auth/v1/options_pb.ts';
import { type AccountMerge, AccountMerge_Progress } from '../../../../../gen/laurel/v1/account_merge_pb.ts';
import { AccountMergeService } from '../../../../../gen/laurel/v1/account_merge_service_pb.ts';
import { enumName } from '../../../api/enum-name.ts';
import { newOperationId } from '../../../api/operation-id.ts';
import { notifyDone } from '../../../feedback/notify.tsx';
import { useConfirm } from '../../../feedback/use-confirm.ts';
import { useAllowed } from '../../../session/allowed.tsx';
import { TabFrame } from './tab-frame.tsx';

/** Milliseconds after which the ends of undos are compared with the time again. */
const MINUTE = 60_000;

/** The merges into the account, each with its undo. */
export function MergesTab({ accountId }: { readonly accountId: string }) {
  const t = useTranslations('accounts');
  const merge$ = useTranslations('support.merge');
  const format = useFormatter();
  const may = useAllowed();
  return (
    <TabFrame
      method={AccountMergeService.method.listAccountMerges}
      input={{ accountId }}
      rowsOf={({ rows }) => rows}
      rowKey={({ mergeId }) => mergeId}
      label={t('tabs.merges')}
      emptyHint={t('mergesEmpty')}
      {...(may(Permission.MERGE_ACCOUNTS) && {
        rowActions: (merge: AccountMerge) => <UndoButton accountId={accountId} merge={merge} />,
      })}
      columns={[
        {
          key: 'merged',
          title: t('mergedAccount'),
          render: (merge) => nameOf(merge),
          sort: (merge) => nameOf(merge),
        },
        {
          key: 'progress',
          title: merge$('progress'),
          wideOnly: true,
          render: ({ progress }) => merge$(enumName(AccountMerge_Progress, progress)),
        },
        {
          key: 'mergedAt',
          title: t('mergedAt'),
          render: ({ mergedAt }) => mergedAt && format.dateTime(timestampDate(mergedAt), 'moment'),
          sort: ({ mergedAt }) => Number(mergedAt?.seconds ?? 0),
        },
        { key: 'undo', title: t('mergeUndo'), render: (merge) => <UndoState merge={merge} /> },
      ]}
    />
  );
}

function UndoState({ merge: { undoneAt, undoableUntil } }: { readonly merge: AccountMerge }) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  if (undoneAt !== undefined)
    return <Text size="sm">{t('mergeUndoneAt', { at: format.dateTime(timestampDate(undoneAt), 'moment') })}</Text>;
  if (undoableUntil === undefined) return <Text size="sm">{t('mergePaid')}</Text>;
  return <Text size="sm">{t('mergeUndoableUntil', { at: format.dateTime(timestampDate(undoableUntil), 'day') })}</Text>;
}

/** Takes a merge back after a question; the service refuses one after which something changed, and says what. */
function UndoButton({ accountId, merge }: { readonly accountId: string; readonly merge: AccountMerge }) {
  const t = useTranslations('accounts');
  const now = useNow({ updateInterval: MINUTE });
  const confirm = useConfirm();
  // The failure appears beside the button of the question.
  const undo = useMutation(AccountMergeService.method.undoAccountMerge, { meta: { showsError: true } });
  const { mergeId, undoneAt, undoableUntil } = merge;
  if (undoneAt !== undefined || undoableUntil === undefined || timestampDate(undoableUntil) <= now) return null;
  const name = nameOf(merge);

  async function ask(): Promise<void> {
    // A second press, or a try after a lost answer, undoes it once.
    const operationId = newOperationId();
    const isDone = await confirm({
      title: t('undoTitle', { name }),
      message: t('undoHint'),
      confirm: t('undo'),
      act: () => undo.mutateAsync({ accountId, mergeId, operationId }),
    });
    if (isDone) notifyDone(t('undone', { name }));
  }

  return (
    <Button size="compact-sm" variant="default" aria-label={t('undoOf', { name })} onClick={() => void ask()}>
      {t('undo')}
    </Button>
  );
}

function nameOf({ externalId, accountId }: AccountMerge): string {
  return externalId ?? accountId;
}
