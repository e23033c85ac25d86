import { Button, Group, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { useExpressionNames } from './use-expression-names.ts';
import type { ExpressionPlace } from './use-trial.ts';

/** The names that an expression can use; a click inserts one. */
export function NameChips(props: { readonly place: ExpressionPlace; readonly onInsert: (name: string) => void }) {
  const t = useTranslations('expressions');
  const types = useTranslations('attributes.types');
  const id = useId();
  const names = useExpressionNames(props.place);
  return (
    <Stack gap={6}>
      <Text size="xs" c="dimmed" id={id}>
        {t('names')}
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
            onClick={() => props.onInsert(name)}
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
    </Stack>
  );
}
