import { join, resolve } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '../..');

/**
 * One script with all its imports, for a page.
 * @param entry the file, below the root of the project
 */
export async function bundled(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      // The same targets as in the console's build.
      target: ['chrome123', 'firefox121', 'safari17.5'],
      rollupOptions: { input: resolve(root, entry), output: { format: 'iife' } },
    },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error(`Nothing was built of ${entry}.`);
  return output.output[0].code;
}
