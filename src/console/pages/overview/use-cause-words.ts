import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import type { Cause } from '../../../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { webhookTypes } from '../webhooks/webhook-methods.ts';
import { causeKindName } from './cause-kinds.ts';

/** Milliseconds after which "in 6 hours" is calculated again. */
const MINUTE = 60_000;

/** The maximum to which the service counts waiting rows. */
const COUNTED_MAX = 1_000;

/** Describes causes in words: the problem, and its details. */
export function useCauseWords(): (cause: Cause) => { readonly what: string; readonly more: string } {
  const t = useTranslations('overview.causes');
  const webhooks = useTranslations('webhooks');
  const format = useFormatter();
  const now = useNow({ updateInterval: MINUTE });
  const fromNow = (moment: Timestamp) => format.relativeTime(timestampDate(moment), now);

  function nameOf({ subject = '', subjectId }: Cause): string {
    // Only the webhook of a type has no id; an endpoint or a product may be called like one.
    const type = subjectId === undefined ? webhookTypes.find((known) => known === subject) : undefined;
    return type === undefined ? subject : webhooks(`types.${type}`);
  }

  function soldOutOf({ unitsLeft = 0, until }: Cause): string {
    if (unitsLeft === 0) return t('soldOut');
    return until === undefined ? t('low') : t('soldOutSoon', { when: fromNow(until) });
  }

  return (cause) => {
    const { count, unitsLeft, unitsTaken, productName = '', since, until } = cause;
    const kind = causeKindName(cause.kind);
    const isCapped = count === COUNTED_MAX && kind !== 'REWARDS_WAITING';
    const figures = {
      name: nameOf(cause),
      endpoint: kind === 'WEBHOOK_FAILING' && cause.subjectId !== undefined ? 'yes' : 'no',
      product: productName,
      count: count ?? 0,
      observed: cause.observed ?? 0,
      usual: cause.usual ?? 0,
      capped: isCapped ? 'yes' : 'no',
      soldOut: soldOutOf(cause),
      when: until === undefined ? '' : fromNow(until),
    };
    const more = [
      kind === 'WEBHOOK_FAILING' && count !== undefined && t('retries', figures),
      unitsLeft !== undefined && t('unitsLeft', { count: unitsLeft }),
      unitsTaken !== undefined && t('unitsTaken', { count: unitsTaken }),
      kind === 'CAMPAIGN_ENDING' && until && format.dateTime(timestampDate(until), 'moment'),
      since !== undefined && t('since', { at: format.dateTime(timestampDate(since), 'moment') }),
    ];
    return { what: t(kind, figures), more: more.filter(Boolean).join(' · ') };
  };
}
