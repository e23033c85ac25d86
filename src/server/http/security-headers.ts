/**
 * On every answer, whatever gives it. What a client may see is nobody else's to keep, so that nothing is stored unless the
 * page itself says that it may be; a browser takes nothing for another type than it is, and tells no other site where its
 * user has been.
 */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cache-control', 'no-store'],
];
