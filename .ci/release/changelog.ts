// The changelog of a release.

const UNRELEASED = '## [Unreleased]\n';

/**
 * A changelog whose unreleased changes are those of a version.
 * @param date `2026-11-24`
 * @throws Error without unreleased changes
 */
export function releasedChangelog(text: string, version: string, date: string): string {
  if (sectionOf(text, 'Unreleased') === '') throw new Error('CHANGELOG.md has no unreleased changes.');
  return text.replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`);
}

/** The changes of a version, or of `Unreleased`, without the heading; empty without any. */
export function sectionOf(text: string, version: string): string {
  const begin = text.indexOf(`## [${version}]`);
  if (begin < 0) return '';
  const end = text.indexOf('\n## [', begin);
  return text
    .slice(begin, end < 0 ? undefined : end)
    .replace(/^.*\n/, '')
    .trim();
}
