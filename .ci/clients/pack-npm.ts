// Builds a package for npm in `packages` and writes its archive. The bytes depend on the sources alone. Prints the name of the archive.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * Packs `packages/<name>` into the folder that the command names.
 * @param complete writes more into `dist`, which the compiler has written
 */
export async function packNpm(name: string, complete?: (dist: string) => Promise<void>): Promise<void> {
  const source = join(root, 'packages', name);
  const [target] = process.argv.slice(2);
  if (target === undefined) {
    console.error('Name the folder: npm run pack-clients -- /tmp/shop');
    process.exit(1);
  }
  const folder = mkdtempSync(join(tmpdir(), 'laurel-pack-'));
  try {
    const tsc = join(root, 'node_modules/.bin/tsc');
    execFileSync(tsc, ['-p', source, '--outDir', join(folder, 'dist')], { stdio: 'inherit' });
    await complete?.(join(folder, 'dist'));
    for (const file of globSync('dist/**/*.d.ts', { cwd: folder })) rewriteImports(join(folder, file));
    for (const file of ['package.json', 'README.md']) cpSync(join(source, file), join(folder, file));
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    mkdirSync(target, { recursive: true });
    const args = ['pack', '--pack-destination', resolve(target), '--loglevel=error'];
    execFileSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The compiler rewrites imports in programs, but not in declarations. */
function rewriteImports(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(from |import\()(['"])(\.{1,2}\/[^'"]*)\.ts\2/g, '$1$2$3.js$2'));
}
