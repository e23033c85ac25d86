// `node .ci/release/sbom.ts [FILE]`, at a release: writes the bill of materials of a production install, as CycloneDX JSON, to FILE or to
// `.laurel/laurel-<version>.cdx.json`; it is published beside the image. npm makes it from the lock file, with each package's version,
// licence, digest and dependencies. The base image has its own.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The used part of CycloneDX. */
export type Sbom = {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses?: readonly unknown[];
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  }[];
};

type Manifest = Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string };
type Locked = { readonly dev?: boolean; readonly devOptional?: boolean; readonly link?: boolean };
type Lock = { readonly packages: Readonly<Record<string, Locked>> };

const root = join(import.meta.dirname, '../..');
const read = <T>(file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as T;

/** The bill of materials of a production install. */
export function productionSbom(): Sbom {
  const manifest = read<Manifest>('package.json');
  const folder = mkdtempSync(join(tmpdir(), 'laurel-sbom-'));
  try {
    // The manifest lacks development packages. `--omit dev` would also leave out packages that development and production share.
    writeFileSync(join(folder, 'package.json'), JSON.stringify(inProduction(manifest)));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(locked(read<Lock>('package-lock.json'))));
    const sbom = JSON.parse(
      execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'], {
        encoding: 'utf8',
        cwd: folder,
        maxBuffer: 2 ** 26,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    ) as Sbom;
    // npm writes the name of the folder.
    const component = { ...sbom.metadata.component, name: manifest.name };
    return { ...sbom, metadata: { ...sbom.metadata, component } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function inProduction(manifest: Readonly<Record<string, unknown>>): object {
  return { ...manifest, devDependencies: undefined, workspaces: undefined };
}

function locked({ packages: { '': own = {}, ...packages }, ...rest }: Lock): object {
  const kept = Object.entries(packages).filter(
    ([path, { dev, devOptional, link }]) => path.startsWith('node_modules/') && !dev && !devOptional && !link,
  );
  return { ...rest, packages: { '': inProduction(own), ...Object.fromEntries(kept) } };
}

if (import.meta.main) {
  const { name, version } = read<Manifest>('package.json');
  const file = process.argv[2] ?? join(root, '.laurel', `${name}-${version}.cdx.json`);
  const sbom = productionSbom();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  console.log(`${file}: ${sbom.components.length} packages.`);
}
