import { Text } from '@mantine/core';

/** Pixels, by how many characters fit: a tile is half a phone wide, and a number is never broken. */
function sizeOf({ length }: string): number {
  if (length <= 9) return 24;
  return length <= 13 ? 18 : 13;
}

/** The number of a tile, as large as the tile allows. */
export function Figure({ children }: { readonly children: string }) {
  return (
    // The line height is constant, so that neighbouring numbers share a baseline.
    <Text fz={sizeOf(children)} fw={620} lh="32px" className="laurel-number" style={{ whiteSpace: 'nowrap' }}>
      {children}
    </Text>
  );
}
