import { Badge, Group } from '@mantine/core';

/** A name in a list, with a word beside it that marks it. */
export function ListedName(props: {
  readonly name: string;
  readonly badge: string | false;
  /** The colour of the word, from the theme; by default the first one, for a positive mark. */
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
