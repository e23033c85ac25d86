/** Families by what their user agents say, those that name others first. */
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

/** A user agent in few words, as `Firefox, Linux`; what is not known is shown as it was sent, cut short. */
export function browserName(userAgent: string): string {
  const [browser, system] = [BROWSERS, SYSTEMS].map((all) => all.find(([pattern]) => pattern.test(userAgent))?.[1]);
  return browser === undefined ? userAgent.slice(0, 40) : [browser, system].filter(Boolean).join(', ');
}
