import { execFile } from 'node:child_process';
import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A filesystem that is soon full. */
export type SmallDisk = {
  /** Where it is mounted. */
  readonly folder: string;
  /** Takes all the room there is. */
  fill(): Promise<void>;
  /** Gives it back. */
  makeRoom(): Promise<void>;
  /** Unmounts it. */
  remove(): Promise<void>;
};

/** With the process number, so that a later run removes what a run that was killed has left. */
const NAME = /^laurel-disk-(\d+)$/;

/** One in memory of so many MiB; undefined where this process may not mount, which only root on Linux may. */
export async function mountSmallDisk(mebibytes: number): Promise<SmallDisk | undefined> {
  await removeAbandoned();
  const folder = join(tmpdir(), `laurel-disk-${process.pid}`);
  await mkdir(folder);
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'tmpfs', folder]);
  } catch {
    await rmdir(folder);
    return undefined;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'a');
      // In pieces down to a page, so that what others give back meanwhile is taken as well.
      for (const size of [1_048_576, 4_096]) {
        const piece = Buffer.alloc(size);
        while (await file.write(piece).then(() => true, isFull));
      }
      await file.close();
    },
    makeRoom: () => rm(ballast, { force: true }),
    remove: () => unmount(folder),
  };
}

function isFull(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOSPC') throw error;
  return false;
}

/** Lazily: anyone who still has a file there open keeps it until then. */
async function unmount(folder: string): Promise<void> {
  await run('umount', ['--lazy', folder]).catch(() => {});
  await rmdir(folder);
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await unmount(join(tmpdir(), name)).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
