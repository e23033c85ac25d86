/**
 * The origins of `LAUREL_CORS_ORIGINS` in the form that browsers send: `https://shop.example.com`, without a path, in lower case and
 * without the scheme's default port. `*` is every origin. Web views of apps have other schemes (`capacitor://localhost`).
 * @throws Error if an entry could never equal an origin that a browser sends
 */
export function corsOriginsOf(text = ''): readonly string[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  for (const entry of entries) {
    if (entry === '*' || isOrigin(entry)) continue;
    const meant = originIn(entry) ?? originIn(`https://${entry}`, isHost);
    const hint =
      meant === undefined ? 'Origins look like https://shop.example.com, or are *.' : `Did you mean ${meant}?`;
    throw new Error(`LAUREL_CORS_ORIGINS has '${entry}', which no browser sends as an origin. ${hint}`);
  }
  return entries;
}

function isOrigin(entry: string): boolean {
  if (/^https?:/i.test(entry)) return originIn(entry) === entry;
  return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d+)?$/.test(entry);
}

/** The origin of a URL; undefined for a mistake that a URL parser would accept, such as a space, a name or a pattern. */
function originIn(text: string, isHostMeant: (host: string) => boolean = () => true): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:\/\/[^/]/i.test(text) || url.username !== '' || !/^[\w.[\]:-]+$/.test(url.hostname))
    return undefined;
  return isHostMeant(url.hostname) ? url.origin : undefined;
}

/** Whether a word without a scheme looks like a host: it has a dot or is `localhost`. */
function isHost(host: string): boolean {
  return host.includes('.') || host === 'localhost';
}
