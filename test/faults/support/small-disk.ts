import { execFile } from 'node:child_process';
import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A small filesystem that is soon full. */
export type SmallDisk = {
  /** Its mount point. */
  readonly folder: string;
  /** Uses all free space. */
  fill(): Promise<void>;
  /** Releases that space. */
  makeRoom(): Promise<void>;
  /** Unmounts the filesystem. */
  remove(): Promise<void>;
};

/** The path has the process number, so that a later run removes the files of a killed run. */
const NAME = /^laurel-disk-(\d+)$/;

/** A filesystem in memory with this number of MiB; undefined if this process may not mount, which only root on Linux may. */
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
      // In pieces down to a page, so that space released by others in the meantime is used as well.
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

/** A lazy unmount: a process with an open file keeps it until the file is closed. */
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
