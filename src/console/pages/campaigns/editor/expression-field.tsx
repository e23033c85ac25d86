import { Button, Group, Stack, Text } from '@mantine/core';
import { useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { EventDefinition_Type } from '../../../../../gen/laurel/v1/event_definition_pb.ts';
import { type AttributeTypeName, typeNameOf } from '../../../attributes/attribute-entries.ts';
import { ExpressionArea } from '../../../expressions/expression-area.tsx';
import { useEventDefinition } from '../../../attributes/use-event-definition.ts';
import type { MissionForm } from './mission-form.ts';

/** A name that an expression can use. */
type ExpressionName = { readonly name: string; readonly type: AttributeTypeName; readonly hint?: string };

/** The expression of a mission, and the names that it can use. */
export function ExpressionField({ form, locked }: { readonly form: MissionForm; readonly locked: boolean }) {
  const t = useTranslations('campaigns');
  const words = useTranslations('expressions');
  const types = useTranslations('attributes.types');
  const id = useId();
  const text = useRef<HTMLTextAreaElement>(null);
  const names = useNames(form.values.programmaticCode);

  /** Inserts a name like typed text: the form gets the change, and the cursor stands behind the name. */
  function insert(name: string): void {
    const field = text.current;
    if (field === null) return;
    field.setRangeText(name, field.selectionStart, field.selectionEnd, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  }

  return (
    <Stack gap={6}>
      <ExpressionArea
        place={{ scope: 'MISSION_CONDITION', code: form.values.programmaticCode }}
        inputRef={text}
        label={t('expression')}
        description={t('expressionHint')}
        placeholder={'event.category == "coffee"'}
        disabled={locked}
        {...form.getInputProps('conditions.expression')}
      />
      {!locked && (
        <>
          <Text size="xs" c="dimmed" id={id}>
            {words('names')}
          </Text>
          <Group gap={6} role="group" aria-labelledby={id}>
            {names.map(({ name, type, hint }) => (
              <Button
                key={name}
                variant="default"
                size="compact-sm"
                fz="xs"
                fw={400}
                title={hint}
                // The cursor stays where it is.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => insert(name)}
              >
                <Text span inherit ff="monospace">
                  {name}
                </Text>
                <Text span inherit c="dimmed" ms={6}>
                  {types(type)}
                </Text>
              </Button>
            ))}
          </Group>
        </>
      )}
    </Stack>
  );
}

/** The names that an expression over the events of a code can use. */
function useNames(code: string): readonly ExpressionName[] {
  const t = useTranslations('expressions.nameHints');
  const definition = useEventDefinition(code);
  return [
    ...(definition?.attributes ?? []).map((attribute) => ({
      name: `event.${attribute.name}`,
      type: typeNameOf(attribute),
      hint: [attribute.description, attribute.allowedValues.map((value) => JSON.stringify(value)).join(', ')]
        .filter((part) => part !== '')
        .join(' '),
    })),
    ...(definition?.type === EventDefinition_Type.AMOUNT ? [{ name: 'event.amount', type: 'NUMBER' } as const] : []),
    { name: 'account.createdAt', type: 'TIMESTAMP', hint: t('createdAt') },
    { name: 'now', type: 'TIMESTAMP', hint: t('now') },
  ];
}
