/** Characters of a code that stay, to tell one from another. */
const SHOWN = 4;

/** A code as operators see it: its end, or nothing of one that is so short that its end would be most of it. */
export function maskedCode(code: string): string {
  return `••••${code.length >= 2 * SHOWN ? code.slice(-SHOWN) : ''}`;
}
