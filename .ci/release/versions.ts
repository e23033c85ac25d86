// The places of the version, which a release changes together.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file with the version between two texts; patterns match each occurrence. */
type Place = { readonly file: string; readonly before: RegExp; readonly after?: RegExp };

const VERSION = String.raw`\d+\.\d+\.\d+`;

const PLACES: readonly Place[] = [
  { file: 'package.json', before: /^ {2}"version": "/m },
  // The two entries of this package; others have names in front.
  { file: 'package-lock.json', before: /"name": "laurel",\s+"version": "/ },
  { file: 'packages/typescript/package.json', before: /^ {2}"version": "/m },
  { file: 'packages/widgets/package.json', before: /^ {2}"version": "/m },
  { file: 'packages/python/pyproject.toml', before: /^version = "/m },
  { file: 'packages/python/src/laurel/_version.py', before: /^__version__ = "/m },
  { file: 'docs/clients/typescript.md', before: /laurel-client-/, after: /\.tgz/ },
  { file: 'docs/clients/widgets.md', before: /laurel-widgets-/, after: /\.tgz/ },
  { file: 'docs/clients/python.md', before: /laurel_client-/, after: /-py3/ },
  { file: 'deploy/helm/laurel/Chart.yaml', before: /^(?:version|appVersion): /m },
  { file: 'docs/deploying.md', before: /(?:--tag laurel:| laurel:|--branch v)/ },
];

/** The versions in all places: one, unless somebody has changed a place alone. */
export function versionsIn(root: string): string[] {
  const found = PLACES.flatMap(({ file, ...place }) => {
    const versions = [...readFileSync(join(root, file), 'utf8').matchAll(patternOf(place))].map(
      ([, , version = '']) => version,
    );
    if (versions.length === 0) throw new Error(`${file} has no version where .ci/release/versions.ts looks for it.`);
    return versions;
  });
  return [...new Set(found)];
}

/** Writes a version into all places. */
export function setVersion(root: string, version: string): void {
  for (const { file, ...place } of PLACES) {
    const text = readFileSync(join(root, file), 'utf8');
    writeFileSync(
      join(root, file),
      text.replaceAll(patternOf(place), (_all, before: string) => before + version),
    );
  }
}

function patternOf({ before, after = /(?![\d.]*\d)/ }: Pick<Place, 'before' | 'after'>): RegExp {
  const end = after.source.startsWith('(?') ? after.source : `(?=${after.source})`;
  return new RegExp(`(${before.source})(${VERSION})${end}`, 'gm');
}
