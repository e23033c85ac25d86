import { Code } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { RefusedCall } from '../../../../gen/laurel/admin/v1/refused_call_pb.ts';
import { useStoredWords } from '../../language/use-service-words.ts';
import { NameLink } from '../../names/name-link.tsx';
import { Line } from '../timeline/line.tsx';

/** One refused call: its code and message, and below them who called what. */
export function RefusedCallLine({
  call,
  isOfAccount = false,
}: {
  readonly call: RefusedCall;
  readonly isOfAccount?: boolean;
}) {
  const t = useTranslations('refusedCalls');
  const words = useStoredWords();
  const { code, message, accountId, programmaticCode, field, operationId } = call;
  const key = call.credentialName ?? t('otherKey');
  return (
    <Line
      moment={call.refusedAt}
      links={[
        !isOfAccount && accountId !== undefined && <NameLink key="account" kind="account" id={accountId} />,
        // A text beside another would run into it.
        ...[
          call.operation,
          call.accountToken ? t('byToken', { key }) : key,
          programmaticCode !== undefined && t('event', { code: programmaticCode }),
          field !== undefined && t('field', { field }),
          operationId !== undefined && t('operationId', { id: operationId }),
        ].map((text) => text !== false && <span key={text}>{text}</span>),
      ]}
    >
      <Code>{code}</Code> {message !== '' && words(message)}
    </Line>
  );
}
