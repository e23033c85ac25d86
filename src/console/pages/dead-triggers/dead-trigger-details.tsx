import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { Code, Modal, Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { DeadTrigger } from '../../../../gen/laurel/admin/v1/dead_trigger_pb.ts';
import { useStoredWords } from '../../language/use-service-words.ts';
import { Facts } from '../../shell/facts.tsx';

/** Everything that is known of one dead trigger. */
export function DeadTriggerDetails(props: { readonly letter: DeadTrigger; readonly onClose: () => void }) {
  const t = useTranslations('deadTriggers');
  const form = useTranslations('form');
  const format = useFormatter();
  const words = useStoredWords();
  const { letter } = props;
  const timeOf = (moment: Timestamp | undefined) => moment && format.dateTime(timestampDate(moment), 'second');
  const hasMetadata = letter.metadata !== undefined && Object.keys(letter.metadata).length > 0;
  return (
    <Modal
      opened
      onClose={props.onClose}
      closeButtonProps={{ 'aria-label': form('close') }}
      title={t('details')}
      size="lg"
    >
      <Stack gap="lg">
        <Facts
          facts={[
            [t('code'), letter.programmaticCode],
            [t('account'), letter.accountId],
            [t('operationId'), letter.operationId],
            [t('occurredAt'), timeOf(letter.occurredAt)],
            [t('acceptedAt'), timeOf(letter.acceptedAt)],
            [t('deadAt'), timeOf(letter.deadAt)],
            [t('attempts'), format.number(letter.attempts)],
            [t('errorCode'), letter.errorCode],
          ]}
        />
        <div>
          <Text size="xs" c="dimmed">
            {t('why')}
          </Text>
          <Text size="sm">{words(letter.errorMessage)}</Text>
        </div>
        <div>
          <Text size="xs" c="dimmed" mb={4}>
            {t('metadata')}
          </Text>
          {hasMetadata ? (
            <Code block mah={320} style={{ overflow: 'auto' }} tabIndex={0}>
              {JSON.stringify(letter.metadata, undefined, 2)}
            </Code>
          ) : (
            <Text size="sm">{t('noMetadata')}</Text>
          )}
        </div>
      </Stack>
    </Modal>
  );
}
