import { Badge, Code, Group, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { AttributeDefinition } from '../../../gen/laurel/v1/attribute_pb.ts';
import { typeNameOf } from './attribute-entries.ts';
import classes from './attributes.module.css';

/** Declared attributes, to read. */
export function AttributeList({ attributes }: { readonly attributes: readonly AttributeDefinition[] }) {
  const t = useTranslations('attributes');
  return (
    <ul className={classes['list']}>
      {attributes.map((attribute) => (
        <li key={attribute.name} className={classes['item']}>
          <Group gap="xs">
            <Code fz="sm">{attribute.name}</Code>
            <Text size="sm">{t(`types.${typeNameOf(attribute)}`)}</Text>
            {attribute.required && <Badge color="blue">{t('required')}</Badge>}
            {attribute.personal && <Badge color="yellow">{t('personal')}</Badge>}
          </Group>
          <Limits attribute={attribute} />
          {attribute.description !== '' && (
            <Text size="sm" c="dimmed">
              {attribute.description}
            </Text>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The limits of an attribute's values, in words. */
function Limits({ attribute: { allowedValues, min, max } }: { readonly attribute: AttributeDefinition }) {
  const t = useTranslations('attributes');
  const format = useFormatter();
  const limits = [
    allowedValues.length > 0 && t('only', { values: format.list(allowedValues, { type: 'disjunction' }) }),
    min !== undefined && t('atLeast', { number: min }),
    max !== undefined && t('atMost', { number: max }),
  ].filter((limit) => limit !== false);
  if (limits.length === 0) return null;
  return <Text size="sm">{limits.join(' ')}</Text>;
}
