import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Node's compiled code is cached beside the packages, where only those who may change the code can write. If the folder
// is not writable, there is no cache. A command takes 0.3 s of processor time with it, 0.7 s without.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/laurel'));

const { runCommand } = await import('./commands/run-command.ts');
await runCommand(process.argv.slice(2));
