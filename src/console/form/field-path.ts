/** A field as the service spells it, `campaign.missions[0].target`, as the path of a form: `missions.0.target`. */
export function formPathOf(field: string, within: string): string {
  const path = field.replaceAll(/\[(\d+)\]/g, '.$1');
  if (path === within) return '';
  return path.startsWith(`${within}.`) ? path.slice(within.length + 1) : path;
}

/** The field of a form that a sentence of the service begins with or names in backticks; undefined if it names none. */
export function fieldNamedIn(message: string, fields: readonly string[], within: string): string | undefined {
  const named = [...message.matchAll(/`([\w.[\]]+)`|^([\w.[\]]+)/g)].map(([, quoted, first]) => quoted ?? first ?? '');
  return named.map((name) => formPathOf(name, within)).find((path) => fields.includes(path.split('.')[0] ?? ''));
}
