/**
 * A field as the service spells it, `campaign.missions[0].target`, as the path of a form: `missions.0.target`. One field has all ids of a
 * list: `prizes[0].rewardIds[2]` is `prizes.0.rewardIds`.
 */
export function formPathOf(field: string, within: string): string {
  const path = field.replaceAll(/\[(\d+)\]/g, '.$1').replace(/(Ids)\.\d+$/, '$1');
  if (path === within) return '';
  return path.startsWith(`${within}.`) ? path.slice(within.length + 1) : path;
}

/**
 * The field of a form that a sentence of the service is about: one that it begins with (`target must be…`,
 * `missions[0]: target must be…`) or names in backticks. Undefined if the form has no such field.
 */
export function fieldNamedIn(message: string, values: object, within: string): string | undefined {
  const [, holder = '', first = ''] = /^(?:([\w.[\]]+): )?([\w.[\]]+)/.exec(message) ?? [];
  const quoted = [...message.matchAll(/`([\w.[\]]+)`/g)].map(([, name]) => name ?? '');
  const named = holder === '' ? [first, ...quoted] : [first, ...quoted].map((name) => `${holder}.${name}`);
  return [...named, holder].map((name) => formPathOf(name, within)).find((path) => hasField(values, path));
}

/** Whether a form has a field at this path, filled in or not. */
export function hasField(values: object, path: string): boolean {
  let value: unknown = values;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Record<string, unknown>)[key];
  }
  return true;
}
