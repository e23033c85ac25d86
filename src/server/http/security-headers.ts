/**
 * On every answer, whatever gives it. What a client may see is nobody else's to keep, so that nothing is stored unless the
 * page itself says that it may be; a browser takes nothing for another type than it is, and tells no other site where its
 * user has been. What is opened in a browser though it is no page loads nothing, runs nothing and stands in no frame.
 */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cache-control', 'no-store'],
  ['content-security-policy', "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"],
];
