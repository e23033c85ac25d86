import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// What Node has compiled is kept for the next start, beside the packages that it is made of: whoever may write there may change
// the code as well. Where nobody may, nothing is kept. A command takes 0.3 s of the processor with it, else 0.7 s.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/laurel'));

const { runCommand } = await import('./commands/run-command.ts');
await runCommand(process.argv.slice(2));
