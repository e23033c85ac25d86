import { isOrigin, meantOrigin } from '../kernel/origins.ts';

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
    const meant = meantOrigin(entry);
    const hint =
      meant === undefined ? 'Origins look like https://shop.example.com, or are *.' : `Did you mean ${meant}?`;
    throw new Error(`LAUREL_CORS_ORIGINS has '${entry}', which no browser sends as an origin. ${hint}`);
  }
  return entries;
}
