/** What every account id begins with: they are UUIDs in order of their numbers, as those of the service are in order of time. */
const PREFIX = '01900000-0000-7000-8000-';

/** The id of an account by its number. */
export function accountIdOf(number: number): string {
  return PREFIX + number.toString(16).padStart(12, '0');
}

/** The same in SQL. @param number an expression that gives a whole number */
export function accountIdSql(number: string): string {
  return `('${PREFIX}' || lpad(to_hex((${number})::bigint), 12, '0'))::uuid`;
}
