/** Files whose prose is not checked, by the beginning of their path. */
export const UNCHECKED: readonly string[] = [
  // Decisions and migrations are records of their day.
  ...Array.from({ length: 94 }, (_, number) => `docs/decisions/${String(number).padStart(4, '0')}`),
  'src/persistence/migrations/',
];
