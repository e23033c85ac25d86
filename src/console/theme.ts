import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** The one accent: the green of a laurel leaf. Shade 7 on white, shade 4 on the dark page, and white on
 * shades 6 and 7 pass WCAG AA for text. */
const laurel: MantineColorsTuple = [
  '#eef7f1',
  '#dcebe2',
  '#b6d8c4',
  '#8dc4a3',
  '#6bb388',
  '#4f9f72',
  '#357f59',
  '#2c6e49',
  '#23583b',
  '#1a432d',
];

/** Neutral with a breath of green, so that surfaces and accent belong together. */
const dark: MantineColorsTuple = [
  '#d7dcd9',
  '#b9c0bc',
  '#98a19c',
  '#6d7771',
  '#414a45',
  '#343c38',
  '#262d29',
  '#1b211e',
  '#141916',
  '#0f1311',
];

/** The look of the console: calm surfaces, one accent, one typeface. */
export const theme = createTheme({
  primaryColor: 'laurel',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  colors: { laurel, dark },
  defaultRadius: 'md',
  fontFamily: "'Inter', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Card: { defaultProps: { withBorder: true, padding: 'lg', radius: 'lg' } },
    Modal: { defaultProps: { radius: 'lg', centered: true }, styles: { title: { fontWeight: 620 } } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md' } },
    // Otherwise a narrow column cuts the word off and leaves only the colour.
    Badge: { defaultProps: { miw: 'max-content', variant: 'light', radius: 'sm', tt: 'none', fw: 550, lts: 0 } },
    // Numbers are typed or pasted; the little arrows only take room and steal the wheel.
    // A minus sign stays, and the rules of the field refuse it: cut off, it would make 5 of -5.
    NumberInput: { defaultProps: { hideControls: true, thousandSeparator: false } },
  },
});

/** White on the library's own shades of a filled red button does not pass WCAG AA; on these it does in both schemes. */
const RED = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#b02525',
};

/**
 * Badges, alerts and quiet buttons in the dark: a breath of their colour under letters of that colour. The library's own
 * are nearly black under nearly white, so that a failure looked like a success.
 */
export const darkTints: CSSVariablesResolver = ({ colors }) => {
  const tint = (name: string, share: number) =>
    `color-mix(in srgb, var(--mantine-color-${name}-5) ${share}%, transparent)`;
  const tints = Object.keys(colors).map((name) => ({
    [`--mantine-color-${name}-light`]: tint(name, 20),
    [`--mantine-color-${name}-light-hover`]: tint(name, 28),
    [`--mantine-color-${name}-light-color`]: `var(--mantine-color-${name}-2)`,
  }));
  return { variables: {}, light: RED, dark: Object.assign({}, RED, ...tints) as Record<string, string> };
};
