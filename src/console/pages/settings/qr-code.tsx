import { Box } from '@mantine/core';
import { encode } from 'uqr';

/** Modules of white around the code, without which cameras do not find it. */
const BORDER = 4;

/** A text as a QR code, drawn in the browser, so that a secret does not leave it. Dark on white in every colour scheme, for old cameras. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      w="100%"
      maw={240}
      mx="auto"
      display="block"
      bdrs="sm"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </Box>
  );
}
