import { Badge, Group } from '@mantine/core';

/** A name in a list, with a word beside it that sets it apart from the others. */
export function ListedName(props: {
  readonly name: string;
  readonly badge: string | false;
  /** Of the theme; its first, for what is set apart for the better, unless it says otherwise. */
  readonly color?: string;
}) {
  return (
    <Group gap="xs" component="span">
      {props.name}
      {props.badge !== false && (
        <Badge component="span" color={props.color}>
          {props.badge}
        </Badge>
      )}
    </Group>
  );
}
