// Writes a self-contained folder of protos: `npm run export-protos -- <folder>`. `buf export` writes ours and their imports. The imports of
// `google.rpc.Status` are added, because it is in the trailers of an error and no proto imports it.
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Name the folder: npm run export-protos -- /tmp/shop/protos');
  process.exit(1);
}
execFileSync('buf', ['export', 'proto', '--output', folder], { stdio: 'inherit' });
cpSync(join('.laurel', 'protos', 'google', 'rpc'), join(folder, 'google', 'rpc'), { recursive: true });
