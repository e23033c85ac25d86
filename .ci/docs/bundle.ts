import { join, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

const root = join(import.meta.dirname, '../..');

/** The styles in programs, which a bundler takes for texts: constants with names such as `LOOK` or `CALENDAR_LOOK`. */
const STYLES = /(?<=^(?:export )?const (?:\w+_)?LOOK = `)[^`]*(?=`;$)/gm;

/** Takes the spaces out of styles that only readers need: 200 bytes of the widgets, with gzip. */
const shortStyles: Plugin = {
  name: 'short-styles',
  enforce: 'pre',
  transform: (code) =>
    code.replaceAll(STYLES, (style) =>
      style
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ ?([{};]) ?/g, '$1')
        .replaceAll(/([:,]) /g, '$1'),
    ),
};

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
    plugins: [shortStyles],
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
