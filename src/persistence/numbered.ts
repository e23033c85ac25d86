/** Texts of which some are the same, for the parameters of a statement. */
export type Numbered = {
  /** The different texts, in the order of their first appearance. */
  readonly distinct: readonly string[];
  /** For each text its position among them, from 1, as an array in SQL counts. */
  readonly numbers: readonly number[];
};

/** Numbers texts, so that a statement with many rows sends each id once, and PostgreSQL parses it once: `($2::uuid[])[r.account]`. */
export function numbered(texts: readonly string[]): Numbered {
  const known = new Map<string, number>();
  const numbers = texts.map((text) => {
    const number = known.get(text) ?? known.size + 1;
    known.set(text, number);
    return number;
  });
  return { distinct: [...known.keys()], numbers };
}
