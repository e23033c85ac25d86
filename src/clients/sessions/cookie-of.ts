/** The value of a cookie in the header of that name; undefined where it was not sent. */
export function cookieOf(header: string | null | undefined, name: string): string | undefined {
  return new RegExp(`(?:^|;) *${name}=([^; ]+)`).exec(header ?? '')?.[1];
}
