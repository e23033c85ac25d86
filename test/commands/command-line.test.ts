// Wrong command lines, help and completion, each as a process.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../src/commands/commands.ts';
import { sharedService } from '../support/service.ts';
import { newPerson, type Person } from './support/people.ts';

/** The time limit: each command starts a process. */
const TIMEOUT = { timeout: 120_000 };

let person: Person;
beforeAll(async () => {
  const service = await sharedService();
  person = await newPerson({ LAUREL_URL: service.baseUrl, LAUREL_KEY: service.adminToken });
});
afterAll(() => person.close());

test.each([
  ['laurel', 2, /^$/, /^Usage: laurel COMMAND/],
  ['laurel --help', 0, /^Usage: laurel COMMAND/, /^$/],
  ['laurel events', 2, /^$/, /^Usage: laurel COMMAND/],
  ['laurel help events', 0, /^events emit .*\nevents replay/, /^$/],
  ['laurel help nothing', 2, /^$/, /There is no command 'nothing'/],
  ['laurel events emit LOGIN', 2, /^$/, /^Usage: laurel events emit CODE ACCOUNT \[options\]/],
  ['laurel events emit LOGIN pia --colour red', 2, /^$/, /--colour[^]*Usage: laurel events emit/],
  ['laurel events emit LOGIN pia --amount many', 2, /^$/, /^--amount must be a number from 0, not 'many'/],
  ['laurel accounts feed pia --output xml', 2, /^$/, /^--output must be table, json, or yaml, not 'xml'/],
  ['laurel events emit NO_SUCH_CODE pia', 1, /^$/, /^EVENT_DEFINITION_NOT_FOUND: /],
])('%s: exit code %d', TIMEOUT, async (typed, code, out, errors) => {
  const ran = await person.sh(typed);
  expect(ran.code).toBe(code);
  expect(ran.out).toMatch(out);
  expect(ran.errors).toMatch(errors);
});

test.each([
  ['laurel ev', ['events']],
  ['laurel events ', ['emit', 'replay']],
  ['laurel events emit PURCHASE pia --am', ['--amount']],
  ['laurel accounts feed pia --status ', ['ACTIVE', 'COMPLETED', 'EXPIRED']],
])('the completion of bash for "%s"', TIMEOUT, async (typed, words) => {
  const script = `
    eval "$(laurel completion bash)"
    COMP_WORDS=(${typed.trimEnd()}${typed.endsWith(' ') ? " ''" : ''})
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _laurel
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  await writeFile(join(person.folder, 'complete.sh'), script);
  const { out, errors } = await person.sh('bash complete.sh');
  expect({ words: out.trim().split('\n'), errors }).toEqual({ words, errors: '' });
});

test('the completions of zsh and fish name every command and option', TIMEOUT, async () => {
  for (const shell of ['zsh', 'fish']) {
    const { out } = await person.sh(`laurel completion ${shell}`);
    for (const { name, options } of commands) {
      for (const word of [...name.split(' '), ...Object.keys(options)]) expect(out).toContain(word);
    }
  }
});

test('the help of a command needs at most 0.3 s of processor time, and no module of the service', TIMEOUT, async () => {
  await person.sh('laurel help events emit');
  const { out, errors } = await person.sh('time -p laurel help events emit');
  expect(out).toContain('Usage');
  const [user = '', system = ''] = [...errors.matchAll(/^(?:user|sys) (.+)$/gm)].map(([, seconds]) => seconds!);
  expect(Number(user) + Number(system)).toBeLessThan(0.3);
});
