import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The release that runs. */
export type Release = {
  /** The version of the service, such as `0.2.0`. */
  readonly version: string;
  /** The commit of its sources; absent if neither an archive nor git names one. */
  readonly commit?: string;
  /** The version of the API: the package of its protos. */
  readonly apiVersion: 'v1';
};

const ROOT = join(import.meta.dirname, '../..');

/** Reads the release that runs. The commit is in `release.json` of archives and images, otherwise in git's own files. */
export function readRelease(root = ROOT): Release {
  const { version } = jsonIn<{ version: string }>(join(root, 'package.json'))!;
  const commit = jsonIn<{ commit?: string }>(join(root, 'release.json'))?.commit ?? commitIn(root);
  return { version, ...(commit && { commit }), apiVersion: 'v1' };
}

/** The release in one line. */
export function releaseLine({ version, commit = 'unknown', apiVersion }: Release): string {
  return `laurel ${version}, commit ${commit}, API ${apiVersion}`;
}

/** The checked-out commit. Git itself is not called, because a production machine may have none. */
function commitIn(root: string): string | undefined {
  // In a linked worktree `.git` is a file with the place of the folder.
  const link = textIn(join(root, '.git'))?.match(/^gitdir: (.+)$/m)?.[1];
  const folder = link === undefined ? join(root, '.git') : resolve(root, link);
  const head = textIn(join(folder, 'HEAD'));
  const name = head?.match(/^ref: (.+)$/)?.[1];
  if (head === undefined || name === undefined) return head;
  const common = resolve(folder, textIn(join(folder, 'commondir')) ?? '.');
  const packed = textIn(join(common, 'packed-refs'))?.split('\n');
  return textIn(join(common, name)) ?? packed?.find((line) => line.endsWith(` ${name}`))?.split(' ')[0];
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}

function jsonIn<T>(path: string): T | undefined {
  const text = textIn(path);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}
