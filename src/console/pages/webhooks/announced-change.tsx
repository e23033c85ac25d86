import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { WebhookType } from '../../../../gen/laurel/admin/v1/webhook_delivery_pb.ts';
import type { Change_Kind } from '../../../../gen/laurel/v1/change_pb.ts';
import { changeKindName } from './change-kinds.ts';
import { useEndpointName } from './use-endpoints.ts';
import { webhookTypeName } from './webhook-methods.ts';

/** The part of a message that says what it announces, and to whom. */
export type Announced = {
  /** Absent for an endpoint. */
  readonly type?: WebhookType | undefined;
  readonly kind: Change_Kind;
  /** Absent for a webhook of a type. */
  readonly endpointId?: string | undefined;
};

/** Describes the announced change in words. */
export function useChangeWords(): (message: Announced) => string {
  const webhooks = useTranslations('webhooks');
  const t = useTranslations('endpoints');
  return ({ type, kind }) =>
    type === undefined ? t(`kinds.${changeKindName(kind)}`) : webhooks(`types.${webhookTypeName(type)}`);
}

/** The announced change, above the name of its endpoint if it goes to one. */
export function AnnouncedChange({ message }: { readonly message: Announced }) {
  const wordsOf = useChangeWords();
  const nameOf = useEndpointName();
  const { endpointId } = message;
  if (endpointId === undefined) return wordsOf(message);
  return (
    <div style={{ overflowWrap: 'anywhere' }}>
      {wordsOf(message)}
      <Text size="xs" c="dimmed">
        {nameOf(endpointId)}
      </Text>
    </div>
  );
}
