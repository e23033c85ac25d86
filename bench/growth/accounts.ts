/** The beginning of every account id: these are UUIDs in the order of their numbers, like the service's in the order of time. */
const PREFIX = '01900000-0000-7000-8000-';

/** The id of an account by its number. */
export function accountIdOf(number: number): string {
  return PREFIX + number.toString(16).padStart(12, '0');
}

/** SQL for the id of an account by its number. @param number an expression that gives a whole number */
export function accountIdSql(number: string): string {
  return `('${PREFIX}' || lpad(to_hex((${number})::bigint), 12, '0'))::uuid`;
}
