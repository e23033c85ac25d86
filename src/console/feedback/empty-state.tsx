import { Stack, Text, ThemeIcon } from '@mantine/core';
import { type LucideIcon, Leaf } from 'lucide-react';
import type { ReactNode } from 'react';

/** The content of an empty page: its purpose, and the next step. */
export function EmptyState(props: {
  /** The title; left out if a heading beside it says the same. */
  readonly title?: string;
  /** The next step, as a sentence. */
  readonly hint: string;
  readonly icon?: LucideIcon;
  /** The button for the next step. */
  readonly action?: ReactNode;
}) {
  const Icon = props.icon ?? Leaf;
  return (
    <Stack align="center" gap="xs" py={48} px="md">
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        <Icon size={24} strokeWidth={1.6} />
      </ThemeIcon>
      {props.title !== undefined && (
        <Text fw={600} ta="center">
          {props.title}
        </Text>
      )}
      <Text size="sm" c="dimmed" ta="center" maw={440} style={{ textWrap: 'balance' }}>
        {props.hint}
      </Text>
      {props.action && <div style={{ marginTop: 8 }}>{props.action}</div>}
    </Stack>
  );
}
