/** Browser families by words in their user agents; families that also contain others' words come first. */
const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const SYSTEMS = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/** A user agent in few words, such as `Firefox, Linux`; an unknown one unchanged, but cut. */
export function browserName(userAgent: string): string {
  const [browser, system] = [BROWSERS, SYSTEMS].map((all) => all.find(([pattern]) => pattern.test(userAgent))?.[1]);
  return browser === undefined ? userAgent.slice(0, 40) : [browser, system].filter(Boolean).join(', ');
}
