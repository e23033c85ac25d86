// docs/clients.md, run from top to bottom: every block of a language is a file or a command, and the client has no other parts. Blocks of
// `shell` need the network (installation), or are an alternative way.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newGame } from '../support/game.ts';
import { startService, type TestService } from '../support/service.ts';
import { blockOf, blocksOf } from './support/page.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const page = await readFile(join(root, 'docs/clients.md'), 'utf8');

/** A section of the page, up to the next. */
function sectionOf(title: string): string {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${title}\n`));
  return section ?? expect.unreachable(`The page has no section ${title}.`);
}

/** The settings of a section: the names of its programs, and the requirements on the machine. */
type Language = {
  readonly section: string;
  /** The file name for a block of a language. */
  readonly files: Readonly<Record<string, string>>;
  /** Required paths; without them the section is skipped. */
  readonly needs: readonly string[];
  readonly paths?: readonly string[];
  /** Environment variables beside the service's address and key. */
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  /** The folder for the commands, inside the test's folder. It contains `protos`, as the page says. */
  readonly folder: string;
  /** The last account that its program prints from a list with a filter; undefined for a program without a list. */
  readonly finds?: string;
};

/** The folders of Go's libraries: the owner's setting, and Debian's packages. */
const goRoots = [...(process.env['GOPATH']?.split(delimiter) ?? []), '/usr/share/gocode'];
/** Debian has two versions of this package: 1.3 cannot read the output of protoc-gen-go; 1.5 has this file. */
const goLibraries = [
  'google.golang.org/grpc/go.mod',
  'google.golang.org/genproto/go.mod',
  'github.com/golang/protobuf/proto/registry.go',
];

function goLibrary(path: string): string {
  const candidates = goRoots.map((folder) => join(folder, 'src', path));
  return candidates.find((candidate) => existsSync(candidate)) ?? candidates.at(-1)!;
}

const JARS = '/usr/share/java';
const jars = [
  'grpc-api',
  'grpc-context',
  'grpc-core',
  'grpc-netty',
  'grpc-protobuf',
  'grpc-protobuf-lite',
  'grpc-stub',
  ...['buffer', 'codec', 'codec-http', 'codec-http2', 'common', 'handler', 'resolver', 'transport'].map(
    (part) => `netty-${part}`,
  ),
  'protobuf',
  'guava',
  'perfmark-api',
  'geronimo-annotation-1.3-spec',
].map((name) => `${JARS}/${name}.jar`);

const languages: readonly Language[] = [
  {
    section: 'Python',
    finds: 'pia',
    folder: 'python',
    files: { python: 'emit.py' },
    needs: [
      '/usr/bin/python3',
      '/usr/bin/protoc',
      '/usr/bin/grpc_python_plugin',
      '/usr/lib/python3/dist-packages/grpc/__init__.py',
    ],
    // Only Debian's Python finds Debian's packages.
    paths: ['/usr/bin'],
  },
  {
    section: 'Go',
    finds: 'gopher',
    // Debian's libraries are not modules, so the program is found by its folder.
    folder: 'go/src/example.com/shop',
    files: { yaml: 'buf.gen.yaml', go: 'main.go' },
    needs: ['/usr/bin/go', '/usr/bin/protoc-gen-go', '/usr/bin/protoc-gen-go-grpc', ...goLibraries.map(goLibrary)],
    env: (folder) => ({
      GO111MODULE: 'off',
      GOPATH: [join(folder, 'go'), ...goRoots].join(delimiter),
      GOFLAGS: '',
    }),
  },
  {
    section: 'Java',
    folder: 'java',
    files: { yaml: 'buf.gen.yaml', java: 'Emit.java' },
    needs: ['/usr/bin/javac', '/usr/bin/protoc', '/usr/bin/grpc_java_plugin', ...jars],
    env: () => ({ CLASSPATH: jars.join(delimiter) }),
  },
  {
    section: 'TypeScript, with Connect',
    finds: 'tessa',
    folder: 'connect',
    files: { yaml: 'buf.gen.yaml', typescript: 'emit.ts' },
    needs: [],
  },
  { section: 'Node, with grpc-js', folder: 'grpc-js', files: { javascript: 'emit.mjs' }, needs: [] },
];

let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-clients-'));
  service = await startService();
  await newGame(service, { missions: [{ name: 'Come back', target: 3 }] });
  const exporting = blockOf(sectionOf('The protos'), 'sh').replace('/tmp/shop', folder);
  await run('sh', ['-ec', exporting], { cwd: root, env: { ...process.env, npm_config_ignore_scripts: 'true' } });
}, 60_000);
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test('the exported protos need nothing else, and lack none of ours', async () => {
  await run('node_modules/.bin/buf', ['build', '-o', '/dev/null', join(folder, 'protos')]);
  for (const api of ['laurel/v1', 'laurel/admin/v1']) {
    expect(await readdir(join(folder, 'protos', api))).toEqual(await readdir(join('proto', api)));
  }
  expect(await readdir(join(folder, 'protos/google/rpc'))).toEqual(['error_details.proto', 'status.proto']);
});

test('every operation of the page has an id of its own', () => {
  const ids = [...page.matchAll(/"[\w-]*login-\d+"|'[\w-]*login-\d+'/g)].map(([id]) => id.slice(1, -1));
  expect(ids).toHaveLength(2 * languages.length);
  expect(new Set(ids).size).toBe(ids.length);
});

/** Writes the files of a section and runs its commands, in the order of the page. Returns their output. */
async function follow(language: Language): Promise<string> {
  const cwd = join(folder, language.folder);
  await mkdir(cwd, { recursive: true });
  await cp(join(folder, 'protos'), join(cwd, 'protos'), { recursive: true });
  // A replacement for `npm install`, which needs the network.
  await symlink(join(root, 'node_modules'), join(cwd, 'node_modules'));
  const env = {
    ...process.env,
    ...language.env?.(folder),
    PATH: [...(language.paths ?? []), join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    LAUREL_ADDRESS: `127.0.0.1:${service.app.port}`,
    LAUREL_KEY: service.apiKey,
  };
  let printed = '';
  for (const { language: name, code } of blocksOf(sectionOf(language.section))) {
    const file = language.files[name];
    if (file !== undefined) await writeFile(join(cwd, file), code);
    else if (name === 'sh') printed += (await run('sh', ['-ec', code], { cwd, env })).stdout;
    else expect(name).toBe('shell');
  }
  return printed;
}

describe('generated, compiled and run from the lines of the page', () => {
  for (const language of languages) {
    const missing = language.needs.filter((path) => !existsSync(path));
    const why = missing.length > 0 ? `: skipped, because ${missing.join(', ')} is not installed` : '';
    test.skipIf(missing.length > 0)(
      `${language.section}: an event progresses, and an error is read by its code${why}`,
      { timeout: 120_000 },
      async () => {
        const lines = (await follow(language)).trimEnd().split('\n');
        const [progress, error, ...found] = lines.slice(language.finds === undefined ? -2 : -3);
        expect(progress).toMatch(/^Come back 1(\.0)? of 3(\.0)?$/);
        expect(error).toMatch(/^(NOT_FOUND|NotFound) EVENT_DEFINITION_NOT_FOUND .*NO_SUCH_CODE/);
        expect(found).toEqual(language.finds === undefined ? [] : [language.finds]);
      },
    );
  }
});
