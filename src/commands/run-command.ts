import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { UsageError } from '../kernel/usage-error.ts';
import type { Command, Option, Options, Typed } from './command.ts';
import { commands } from './commands.ts';
import { exitCodeOf, wordsOf } from './exit-codes.ts';
import { findCommand, helpFor, helpOf, overview, usageOf } from './help.ts';

/**
 * Runs the command of a command line, `argv` without the program. An error is printed as a message, with an exit code as EXIT_CODES says.
 */
export async function runCommand(argv: readonly string[]): Promise<void> {
  try {
    await run(argv);
  } catch (error) {
    // An operator needs the message, not our stack trace.
    console.error(wordsOf(error));
    process.exitCode = exitCodeOf(error);
  }
}

async function run(argv: readonly string[]): Promise<void> {
  const { words, asksHelp, asksVersion } = readLoosely(argv);
  if (asksVersion) {
    const { readRelease, releaseLine } = await import('../app/release.ts');
    return console.log(releaseLine(readRelease()));
  }
  const command = findCommand(words, commands);
  if (asksHelp) return console.log(command === undefined ? helpFor(words, commands) : helpOf(command));
  if (command !== undefined) return command.run(readStrictly(command, argv), commands);
  console.error(overview(commands));
  process.exitCode = 2;
}

/** The words of a command line with any options, which find the command. */
function readLoosely(argv: readonly string[]) {
  const options = { ...Object.assign({}, ...commands.map(({ options }) => configOf(options))), ...HELP };
  const { values, positionals } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true });
  return { words: positionals, asksHelp: values['help'] === true, asksVersion: values['version'] === true };
}

const HELP = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;

/** @throws UsageError for unknown options and values, and for too few or too many arguments */
function readStrictly(command: Command, argv: readonly string[]): Typed {
  const { values, positionals } = parsed(command, argv);
  const args = positionals.slice(command.name.split(' ').length);
  const { args: wanted = [] } = command;
  const most = wanted.some(({ many }) => many) ? Infinity : wanted.length;
  const least = wanted.filter(({ many }) => !many).length;
  if (args.length < least || args.length > most) throw new UsageError(`Usage: ${usageOf(command)}`);
  for (const [name, option] of Object.entries(command.options)) checkChoice(name, option, values[name]);
  return { options: values as Typed['options'], args };
}

function parsed(command: Command, argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: configOf(command.options), allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\nUsage: ${usageOf(command)}`);
  }
}

function configOf(options: Options): ParseArgsOptionsConfig {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type, multiple = false }]) => [name, { type, multiple }]),
  );
}

/** The value of an option on the command line; several if it is repeated. */
type Given = string | boolean | readonly (string | boolean)[] | undefined;

function checkChoice(name: string, { choices }: Option, given: Given): void {
  if (choices === undefined) return;
  for (const value of [given ?? []].flat()) {
    if (choices.includes(String(value))) continue;
    const all = new Intl.ListFormat('en', { type: 'disjunction' }).format(choices);
    throw new UsageError(`--${name} must be ${all}, not '${value}'.`);
  }
}
