import { Group, Radio, SimpleGrid, Text } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './choice-cards.module.css';

/** One of a few choices that need a sentence each to be understood. */
export type Choice<Value extends string> = {
  readonly value: Value;
  readonly label: string;
  /** The meaning of the choice. */
  readonly hint: string;
  readonly icon: LucideIcon;
};

/** A choice of one, as cards with a picture and a sentence; by keyboard the radio buttons that they are. */
export function ChoiceCards<Value extends string>(props: {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly error?: ReactNode;
  /** The number of cards per row if the width allows; 2 by default. */
  readonly columns?: number;
}) {
  const { choices } = props;
  return (
    <Radio.Group
      label={props.label}
      value={props.value}
      onChange={(value) => props.onChange(choices.find((choice) => choice.value === value)?.value ?? props.value)}
      error={props.error}
    >
      <SimpleGrid cols={{ base: 1, xs: props.columns ?? 2 }} spacing="sm" mt={4}>
        {choices.map(({ value, label, hint, icon: Icon }) => (
          <Radio.Card key={value} value={value} className={classes['card']} aria-label={`${label}. ${hint}`}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Icon size={18} strokeWidth={1.8} aria-hidden className={classes['icon']} />
              <div>
                <Text size="sm" fw={550}>
                  {label}
                </Text>
                <Text size="xs" c="dimmed" mt={2}>
                  {hint}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}
