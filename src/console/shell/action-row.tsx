import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The buttons at the right of a heading, always in this order: the quiet ones, the filled one, the rest. */
export function ActionRow(props: {
  readonly children?: ReactNode;
  /** The filled button, at most one, in a fixed position like the last one of a dialog. */
  readonly main?: ReactNode;
  /** The menu of the rest. */
  readonly menu?: ReactNode;
}) {
  return (
    <Group gap="sm">
      {props.children}
      {props.main}
      {props.menu}
    </Group>
  );
}
