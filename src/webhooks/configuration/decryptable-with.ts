/** SQL that is true if the SQL expression `ids` has the key id of every secret of the configuration `c`, or is null. */
export function decryptableWith(ids: string): string {
  const opens = (sealed: string) => `(${sealed} is null or split_part(${sealed}, '.', 2) = any(${ids}::text[]))`;
  const sealed = ['c.authentication_value_sealed', 'c.signing_secret_sealed', 'c.former_secret_sealed'];
  return `(${ids}::text[] is null or ${sealed.map(opens).join(' and ')})`;
}
