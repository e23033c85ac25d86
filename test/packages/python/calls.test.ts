// The Python package against the service: events, ids, errors, lists and hooks, with the oldest and the newest protobuf.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { newGame } from '../../support/game.ts';
import { sharedService, type TestService } from '../../support/service.ts';
import { environment, type Environment, PROTOBUFS, python, runPytest, runPython, versionOf } from './installed.ts';

let service: TestService;

beforeAll(async () => {
  service = await sharedService();
  await newGame(service, { missions: [{ name: 'Spend', programmaticCode: 'PURCHASE', target: 100 }] });
  await service.rest('POST', '/admin/event-definitions', {
    programmaticCode: 'VISIT',
    type: 'SINGLE',
    attributes: [{ name: 'shop', type: 'STRING' }],
  });
});
afterAll(() => service.close());

describe.skipIf(python === undefined).each(Object.entries(PROTOBUFS))('with the %s protobuf', (age, version) => {
  let env: Environment;

  beforeAll(async () => {
    env = await environment(version);
  }, 120_000);
  afterAll(() => env?.close());

  test('the package is installed with it', async () => {
    expect(versionOf(env, 'protobuf')).toBe(version);
    expect(versionOf(env, 'laurel-client')).toBe(manifest.version);
  });

  test('every guarantee of calls.py holds', async () => {
    const printed = await runPytest(env, 'calls.py', {
      LAUREL_URL: service.baseUrl,
      LAUREL_KEY: service.apiKey,
      SERVICE_TOKEN: service.serviceToken,
      AGE: age,
    });
    expect(printed).toMatch(/^\d+ passed/m);
    expect(printed).not.toMatch(/skipped|xfailed/);
  });

  test('every guarantee of units.py holds, without a service', async () => {
    expect(await runPytest(env, 'units.py', {})).toMatch(/^\d+ passed/m);
  });

  test('the implementation of protobuf in Python does the same', async () => {
    const program = 'import laurel; from laurel import v1; print(v1.Trigger(account_id="ada").account_id)';
    const variables = { PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION: 'python' };
    expect(await runPython(env.python, ['-c', program], variables)).toBe('ada\n');
  });
});
