// Whether the protos break a client that was built from the main branch. The protos of the base commit are laid in a
// temporary folder; the third-party ones are in no commit, so today's copy stands beside them.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const base = baseCommit();
if (base && git('ls-tree', base, 'proto')) compareWith(base);
else console.log('note: there is no earlier commit with protos to compare with.');

/**
 * Where this work began: the commit that origin/main and this branch have in common. Standing on main itself, it is the
 * commit before: HEAD while there are uncommitted changes to protos, else HEAD's parent.
 */
function baseCommit(): string | undefined {
  const head = git('rev-parse', '--verify', '--quiet', 'HEAD');
  const common = git('merge-base', 'origin/main', 'HEAD');
  if (common && common !== head) return common;
  if (git('status', '--porcelain', '--', 'proto')) return head;
  return git('rev-parse', '--verify', '--quiet', 'HEAD^');
}

function compareWith(commit: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-base-'));
  try {
    const archive = join(folder, 'base.tar');
    execFileSync('git', ['archive', '--output', archive, commit, 'proto']);
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    // Today's modules on both sides, since buf compares them one by one.
    for (const path of ['buf.yaml', '.laurel/protos']) cpSync(path, join(folder, path), { recursive: true });
    const compared = spawnSync(`buf breaking --against "${folder}"`, { shell: true, stdio: 'inherit' });
    process.exitCode = compared.status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What git prints, trimmed; undefined when it prints nothing or does not know the answer. */
function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return (status === 0 && stdout.trim()) || undefined;
}
