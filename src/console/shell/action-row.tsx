import { Group } from '@mantine/core';
import type { ReactNode } from 'react';

/** The buttons at the right of a heading, in one order everywhere: the quiet ones, the one that stands out, what else there is. */
export function ActionRow(props: {
  readonly children?: ReactNode;
  /** The filled button, at most one: where the pointer goes without reading, as the last one of a dialog. */
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
