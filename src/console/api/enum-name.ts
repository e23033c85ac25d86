/** The names of a generated enum, its zero value left out. */
export type EnumName<Values> = Exclude<keyof Values & string, `${string}_UNSPECIFIED`>;

/**
 * The name of an enum's value.
 * @param values the generated enum
 * @throws Error for a value that is newer than this page. What breaks offers to load the page again, and the new one knows
 * it; shown or sent as another value it would be wrong without anybody seeing it.
 */
export function enumName<Values extends Readonly<Record<string, number>>>(
  values: Values,
  value: number,
): EnumName<Values> {
  const name = Object.keys(values).find((key) => values[key] === value);
  if (name === undefined || value === 0) throw new Error(`This page does not know the value ${value}. Load it again.`);
  return name as EnumName<Values>;
}
