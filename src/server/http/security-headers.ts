/**
 * Headers of every answer. Answers are not cached unless a page allows it, content types are not sniffed, and no referrer is sent. An
 * answer that is no page, opened in a browser, cannot load, run or be framed.
 */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"],
];
