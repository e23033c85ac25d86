import { Avatar } from '@mantine/core';

/** The picture of a badge, or the initial of its name; a question mark for one whose name is not shown. */
export function BadgeFace(props: {
  readonly name?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly size?: number;
}) {
  const { name, imageUrl, size = 44 } = props;
  const initial = name === undefined ? '?' : [...name][0]?.toLocaleUpperCase();
  return (
    <Avatar src={imageUrl ?? null} size={size} radius="xl" color="laurel" alt="" aria-hidden>
      {initial}
    </Avatar>
  );
}
