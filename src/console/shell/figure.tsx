import { Text } from '@mantine/core';

/** Pixels, by how many characters fit: a tile is half a phone wide, and a number is never broken. */
function sizeOf({ length }: string): number {
  if (length <= 9) return 24;
  return length <= 13 ? 18 : 13;
}

/** The number of a tile, large where there is room for it. */
export function Figure({ children }: { readonly children: string }) {
  return (
    // The line stays as high, so that numbers beside each other stand on one line.
    <Text fz={sizeOf(children)} fw={620} lh="32px" className="laurel-number" style={{ whiteSpace: 'nowrap' }}>
      {children}
    </Text>
  );
}
