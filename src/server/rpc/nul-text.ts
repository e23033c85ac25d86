/**
 * The path of a NUL character in the texts of a message, in JSON names (`trigger.operationId`, `accountIds[2]`); undefined without one.
 * PostgreSQL stores no NUL: its own error would fail the whole shared batch, and would not name the field.
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
