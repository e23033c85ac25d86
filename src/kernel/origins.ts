/** Whether a text is an origin as browsers send it: scheme, host in lower case, and the port unless it is the scheme's default. */
export function isOrigin(entry: string): boolean {
  if (/^https?:/i.test(entry)) return originIn(entry) === entry;
  // Web views of apps have other schemes: `capacitor://localhost`.
  return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+(?::\d+)?$/.test(entry);
}

/** The origin that a text probably means; undefined for a text that has none. */
export function meantOrigin(text: string): string | undefined {
  return originIn(text) ?? originIn(`https://${text}`, isHost);
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
