// Writes the script that the service has at `/widgets.js`: `node .ci/widgets/build.ts <folder>`. `.ci/setup.mjs` runs it after a change of
// its sources.
import { bundled } from '../docs/bundle.ts';
import { layCompressed } from '../docs/lay.ts';

const folder = process.argv[2] ?? '';
if (folder === '') throw new Error('Name the folder to lay the script in.');

layCompressed(folder, 'widgets.js', await bundled('packages/widgets/src/script.ts'));
