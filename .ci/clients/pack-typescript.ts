// Builds `packages/typescript` and writes its archive: `npm run pack-clients -- <folder>`. The bytes depend on the sources alone. Prints the name
// of the archive.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleDouble } from './bundle-double.ts';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'packages/typescript');
const [target] = process.argv.slice(2);
if (target === undefined) {
  console.error('Name the folder: npm run pack-clients -- /tmp/shop');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'laurel-pack-'));
try {
  const tsc = join(root, 'node_modules/.bin/tsc');
  execFileSync(tsc, ['-p', source, '--outDir', join(folder, 'dist')], { stdio: 'inherit' });
  // The double is the service's own code, so its program is a bundle; the compiler wrote its declarations.
  await bundleDouble(join(folder, 'dist'));
  for (const file of globSync('dist/**/*.d.ts', { cwd: folder })) rewriteImports(join(folder, file));
  for (const file of ['package.json', 'README.md']) cpSync(join(source, file), join(folder, file));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  mkdirSync(target, { recursive: true });
  const args = ['pack', '--pack-destination', resolve(target), '--loglevel=error'];
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The compiler rewrites imports in programs, but not in declarations. */
function rewriteImports(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replaceAll(/(from |import\()(['"])(\.{1,2}\/[^'"]*)\.ts\2/g, '$1$2$3.js$2'));
}
