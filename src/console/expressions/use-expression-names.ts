import { useQuery } from '@connectrpc/connect-query';
import { useTranslations } from 'use-intl';
import { AccountAttributeAdminService } from '../../../gen/laurel/admin/v1/account_attribute_admin_service_pb.ts';
import type { AttributeDefinition } from '../../../gen/laurel/v1/attribute_pb.ts';
import { EventDefinition_Type } from '../../../gen/laurel/v1/event_definition_pb.ts';
import { type AttributeTypeName, typeNameOf } from '../attributes/attribute-entries.ts';
import { useEventDefinition } from '../attributes/use-event-definition.ts';
import type { ExpressionPlace } from './use-trial.ts';

/** A name that an expression can use. */
type ExpressionName = { readonly name: string; readonly type: AttributeTypeName; readonly hint?: string };

/** The names that an expression can use: those of the events of its code, and those of accounts. */
export function useExpressionNames({
  scope,
  code = '',
  withoutMission = scope === 'AUDIENCE_RULE',
}: ExpressionPlace): readonly ExpressionName[] {
  const t = useTranslations('expressions.nameHints');
  const definition = useEventDefinition(code);
  const { data } = useQuery(AccountAttributeAdminService.method.getAccountAttributes, {});
  return [
    ...(definition?.attributes ?? []).map((attribute) => nameOf('event', attribute)),
    ...(definition?.type === EventDefinition_Type.AMOUNT ? [{ name: 'event.amount', type: 'NUMBER' } as const] : []),
    ...(data?.accountAttributes?.attributes ?? []).map((attribute) => nameOf('account', attribute)),
    { name: 'account.createdAt', type: 'TIMESTAMP', hint: t('createdAt') },
    { name: 'account.audiences', type: 'STRING_LIST', hint: t('audiences') },
    ...(withoutMission ? [] : [{ name: 'mission.progress', type: 'NUMBER', hint: t('progress') } as const]),
    { name: 'now', type: 'TIMESTAMP', hint: t(scope === 'AUDIENCE_RULE' ? 'present' : 'now') },
  ];
}

function nameOf(prefix: 'event' | 'account', attribute: AttributeDefinition): ExpressionName {
  const { name, description, allowedValues } = attribute;
  const values = allowedValues.map((value) => JSON.stringify(value)).join(', ');
  const hint = [description, values].filter((part) => part !== '').join(' ');
  return { name: `${prefix}.${name}`, type: typeNameOf(attribute), hint };
}
