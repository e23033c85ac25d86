/** The names of a generated enum, its zero value left out. */
export type EnumName<Values> = Exclude<keyof Values & string, `${string}_UNSPECIFIED`>;

/**
 * The name of an enum's value.
 * @param values the generated enum
 * @throws Error for a value that is newer than this page. The error page offers a reload, and the new page knows the value. Another value
 * in its place would be an unnoticed error.
 */
export function enumName<Values extends Readonly<Record<string, number>>>(
  values: Values,
  value: number,
): EnumName<Values> {
  const name = Object.keys(values).find((key) => values[key] === value);
  if (name === undefined || value === 0) throw new Error(`This page does not know the value ${value}. Load it again.`);
  return name as EnumName<Values>;
}
