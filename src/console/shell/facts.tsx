import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Names and values of one thing, in as many columns as there is room for. A fact without a value shows a dash. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="lg" verticalSpacing="sm" m={0}>
      {facts.map(([name, value]) => (
        <div key={name} style={{ overflowWrap: 'anywhere' }}>
          <Text component="dt" size="xs" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0}>
            {value === undefined || value === '' ? '–' : value}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}
