import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, delimiter, join } from 'node:path';
import { programsFolder, serverUser } from './server-programs.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The comment before an executable block: `<!-- run: restore-dump -->`, or `<!-- run: base-backup as postgres -->`. */
const BLOCK = /<!-- run: (?<name>[\w-]+)(?<asServer> as postgres)? -->\n+```sh\n(?<script>.*?)```/gs;

type Block = { readonly script: string; readonly asServer: boolean };

/** The commands of docs/backup.md by name, so that the tests run the words of the page. */
export const blocks: ReadonlyMap<string, Block> = new Map(
  readFileSync(join(ROOT, 'docs/backup.md'), 'utf8')
    .matchAll(BLOCK)
    .map(({ groups }) => [groups!.name!, { script: groups!.script!, asServer: groups!.asServer !== undefined }]),
);

/** The exit code and the output of a block. */
export type RanBlock = { readonly code: number | null; readonly words: string };

/**
 * Runs the commands of a block as the page describes, in a shell that stops at the first error.
 * @param env the variables that the page names
 */
export async function runBlock(name: string, env: Readonly<Record<string, string>>): Promise<RanBlock> {
  const block = blocks.get(name);
  if (!block) throw new Error(`docs/backup.md has no block ${name}.`);
  return runScript(block.script, env, block.asServer);
}

/** Runs commands like {@link runBlock}; for wrong commands, which the page does not have. */
export async function runScript(
  script: string,
  env: Readonly<Record<string, string>>,
  asServer = false,
): Promise<RanBlock> {
  // npm would check the installation each time.
  const own = script.replaceAll('npm run laurel --', `"${process.execPath}" "${join(ROOT, 'src/main.ts')}"`);
  const path = [programsFolder, dirname(process.execPath), process.env.PATH].filter(Boolean).join(delimiter);
  const child = spawn('bash', ['-euo', 'pipefail', '-c', own], {
    ...(asServer && serverUser),
    cwd: asServer ? '/' : ROOT,
    env: { PATH: path, LC_ALL: 'C', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (words += chunk.toString()));
  // The event 'close' would not come: a server that a block starts keeps the pipes open.
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, words };
}

/**
 * @throws Error with the output of a failed block
 */
export async function mustRun(name: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { code, words } = await runBlock(name, env);
  if (code !== 0) throw new Error(`The block ${name} of docs/backup.md ended with ${code}:\n${words}`);
  return words;
}
