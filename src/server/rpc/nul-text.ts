/**
 * The place of a NUL character in the texts of a message, in JSON names (`trigger.operationId`, `accountIds[2]`); undefined where there
 * is none. PostgreSQL keeps no NUL: left to it, one fails the whole batch that it shares with others, and nobody is told where it is.
 */
export function nulIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? '' : undefined;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const at = nulIn(element);
      if (at !== undefined) return `[${index}]${at}`;
    }
    return undefined;
  }
  for (const key of Object.keys(value)) {
    const at = key.includes('\0') ? '' : nulIn((value as Record<string, unknown>)[key]);
    if (at !== undefined) return `.${key.replaceAll('\0', '')}${at}`;
  }
  return undefined;
}
