// docs/clients/python.md followed from an empty folder: the package is packed, installed from its wheel, type-checked and run.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf } from '../../contract/support/page.ts';
import { freePort } from '../../support/free-port.ts';
import { newGame } from '../../support/game.ts';
import { startService, type TestService } from '../../support/service.ts';
import { OFFLINE, python, root, runPython, wheelInto } from './installed.ts';
import { programsOf } from './page.ts';

const run = promisify(execFile);
const page = await readFile(join(root, 'docs/clients/python.md'), 'utf8');
const readme = await readFile(join(root, 'packages/python/README.md'), 'utf8');
const programs = programsOf(page);
const commands = blocksOf(page).filter(({ language }) => language === 'sh');

const PRINTED: Readonly<Record<string, RegExp>> = {
  'first.py': /^Spend: 12\.5 of 100\.0\n$/,
  'more.py': /^applied\nEVENT_DEFINITION_NOT_FOUND\ntaken back: 2\.0\n$/,
  'quiet.py': /^not counted: EVENT_DEFINITION_NOT_FOUND\n$/,
  'asynchronous.py': /^3\ngrace\n$/,
  'errors.py': /^unknown code: .*NO_SUCH_CODE.*\nACCOUNT_NOT_FOUND\n$/,
  'read.py': /^Spend 18\.5 ACTIVE\npoints: 0\.0\ngrace True\nada True\n$/,
  'services.py': /^to claim: 0\n$/,
  'receiver.py': /^verified: MISSION_COMPLETED\nanswered: 204\n$/,
  'hooks.py': /^laurel\.v1\.TriggerService\/EmitTrigger after 1 attempt\n$/,
};

/** Programs that webhooks.test.ts runs, and the one that pytest runs. */
const OTHERS = ['fastapi_shop.py', 'django_shop.py', 'test_shop.py'];

test('the page has the programs that the tests know', () => {
  expect([...programs.keys()].toSorted()).toEqual([...Object.keys(PRINTED), ...OTHERS].toSorted());
});

test('the program of the README is the first one', () => {
  expect(blocksOf(readme)[0]?.code.replace(/ {2}# LAUREL_URL.*/, '')).toBe(
    programs.get('first.py')!.replace(/^.*\n/, ''),
  );
});

describe.skipIf(python === undefined)('from an empty folder', () => {
  let service: TestService;
  let folder: string;
  let wheel: string;
  let env: Record<string, string>;

  /** Runs commands of the page, in the environment that its first commands make. */
  const shell = async (code: string, variables: Readonly<Record<string, string>> = {}) => {
    const own = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PYTHONDONTWRITEBYTECODE: '1',
      ...OFFLINE,
      ...variables,
    };
    return run('sh', ['-ec', code], { cwd: folder, env: own }).catch(({ stdout, stderr }) =>
      expect.unreachable(`${stdout}${stderr}`),
    );
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-shop-'));
    [service, wheel] = await Promise.all([startService(), wheelInto(folder)]);
    await newGame(service, { missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 100 }] });
    env = { LAUREL_URL: service.baseUrl, LAUREL_KEY: service.apiKey, LAUREL_TOKEN: service.adminToken };
    const port = String(await freePort());
    for (const [name, code] of programs) await writeFile(join(folder, name), code.replaceAll('3457', port));
    await shell(commands[0]!.code);
  }, 120_000);
  afterAll(async () => {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('the wheel has the same bytes each time, and the version of the service', async () => {
    const again = await wheelInto(join(folder, 'again'));
    const digestOf = async (file: string) =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
    expect(await digestOf(again)).toBe(await digestOf(wheel));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(basename(wheel)).toBe(`laurel_client-${version}-py3-none-any.whl`);
    expect(commands[0]!.code).toContain(basename(wheel));
    const { stdout } = await shell('.venv/bin/python -c "import laurel; print(laurel.__version__)"');
    expect(stdout).toBe(`${version}\n`);
  });

  test('the package brings at most three others, and no file but programs, stubs and texts', async () => {
    const names = (await run(python!.path, ['-m', 'zipfile', '-l', wheel])).stdout.split('\n').slice(1);
    const files = names.map((line) => line.split(/\s/)[0]!).filter((name) => name !== '');
    expect(files.length).toBeGreaterThan(20);
    expect(
      files.filter((name) => !/^(laurel\/.*\.(py|pyi|typed)|laurel_client-[\d.]+\.dist-info\/.*)$/.test(name)),
    ).toEqual([]);
    const listed = 'import importlib.metadata as m; print(sorted(each.name for each in m.distributions()))';
    // grpcio brings typing_extensions.
    expect((await shell(`.venv/bin/python -c "${listed}"`)).stdout).toMatch(
      /^\['grpcio', 'laurel-client', ('pip', )?'protobuf', ('setuptools', )?'typing_extensions'\]\n$/,
    );
  });

  test.each(Object.keys(PRINTED))('%s runs as it is', async (name) => {
    expect(await runPython('.venv/bin/python', ['-W', 'error', name], env, folder)).toMatch(PRINTED[name]!);
  });

  test('the programs pass a strict type checker, and wrong filters do not', async () => {
    await shell('. .venv/bin/activate && pip install --quiet mypy pytest fastapi');
    const wrong = WRONG.split('\n');
    await writeFile(join(folder, 'wrong.py'), WRONG);
    const checked = [...programs.keys()].filter((name) => name !== 'django_shop.py').join(' ');
    await shell(`.venv/bin/mypy --strict ${checked}`);
    const { stdout } = await shell('.venv/bin/mypy --strict wrong.py || true');
    const faulty = [...stdout.matchAll(/^wrong\.py:(\d+): error/gm)].map(([, line]) => Number(line));
    expect(faulty).toEqual(wrong.flatMap((line, index) => (line.endsWith('# wrong') ? [index + 1] : [])));
  });

  test('the code of the package passes it, too', async () => {
    await shell('. .venv/bin/activate && pip install --quiet mypy pytest');
    const config = join(root, 'packages/python/mypy.ini');
    await shell(`.venv/bin/mypy --config-file ${config} -p laurel`);
  });

  describe('the fixtures of pytest', () => {
    const pytest = commands.at(-1)!.code;

    test('take a running service, with a client of Laurel for each run', async () => {
      await shell('. .venv/bin/activate && pip install --quiet pytest');
      const variables = { LAUREL_TEST_URL: service.baseUrl, LAUREL_TEST_TOKEN: service.serviceToken };
      const command = `. .venv/bin/activate && ${pytest.replaceAll(/^export .*\n/gm, '')}`;
      for (let times = 0; times < 2; times += 1) expect((await shell(command, variables)).stdout).toMatch(/^1 passed/m);
    });

    test('start a service by a command, and end it', async () => {
      await shell('. .venv/bin/activate && pip install --quiet pytest');
      const variables = { LAUREL_TEST_COMMAND: `${process.execPath} ${join(root, 'src/main.ts')} serve` };
      await writeFile(join(folder, 'conftest.py'), ENDED);
      const { stdout } = await shell('. .venv/bin/activate && pytest -q -s test_shop.py', variables);
      expect(stdout).toMatch(/^1 passed/m);
      const url = /^service (\S+)$/m.exec(stdout)![1]!;
      await expect(fetch(url)).rejects.toThrow();
    }, 180_000);
  });
});

/** Prints the address of the service that the fixture starts. */
const ENDED = `
import pytest


@pytest.fixture(autouse=True)
def address(laurel_service):
    print(f"\\nservice {laurel_service.url}")
`;

/** Conditions and values that a type checker must refuse. */
const WRONG = `
from laurel import Laurel
from laurel.v1 import AccountService, GetAccountRequest, MarketplaceService

laurel = Laurel("http://127.0.0.1", "none")
accounts = laurel.list(AccountService.list_accounts)
accounts.where({"external_id": "ada"}, attributes={"tier": "GOLD"})
accounts.where({"externalid": "ada"})  # wrong
accounts.where({"created_at": 5})  # wrong
laurel.list(MarketplaceService.list_published_publications).where({"points_cost": "dear"})  # wrong
laurel.feed("ada", where={"status": "ASLEEP"})  # wrong
laurel.emit("PURCHASE", "ada", {"amount": "12"})  # wrong
laurel.emit("PURCHASE", "ada", {"category": "books"})  # wrong
laurel.call(AccountService.get_account, GetAccountRequest(id=5))  # wrong
answer = laurel.call(AccountService.get_account, GetAccountRequest(id="ada"))
answer.account.externalId  # wrong
`;
