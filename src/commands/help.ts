import { UsageError } from '../kernel/usage-error.ts';
import { type Command, GROUPS, type Option } from './command.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** The widest column of names, in characters. */
const WIDTH = 34;

/** The command with which some words begin; undefined if there is none. */
export function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  return [2, 1]
    .map((length) => words.slice(0, length).join(' '))
    .map((name) => commands.find((command) => command.name === name))
    .find((command) => command !== undefined);
}

/** The list of all commands. */
export function overview(commands: readonly Command[]): string {
  const groups = Object.entries(GROUPS).map(([group, heading]) => {
    const rows = commands.filter((command) => command.group === group);
    return `${heading}:\n${rows.map((command) => row(`${command.name}${argsOf(command)}`, command.summary)).join('\n')}`;
  });
  const last =
    'laurel help COMMAND prints the options and an example, laurel --version the version.\n' +
    'Without DATABASE_URL the service runs a PostgreSQL of its own in .laurel/, but not with NODE_ENV=production.';
  return ['Usage: laurel COMMAND', ...groups, last].join('\n\n');
}

/** The help of one command. */
export function helpOf(command: Command): string {
  const options = Object.entries(command.options);
  const sections = [
    `Usage: ${usageOf(command)}`,
    command.summary,
    ...section(
      'Arguments',
      (command.args ?? []).map(({ name, help }) => row(name, help)),
    ),
    ...section(
      'Options',
      options.map(([name, option]) => row(flagOf(name, option), option.help)),
    ),
    `Example:\n  ${command.example}`,
  ];
  return sections.join('\n\n');
}

/**
 * The help of the command with the words, or the list of all without any.
 * @throws UsageError for unknown words
 */
export function helpFor(words: readonly string[], commands: readonly Command[]): string {
  if (words.length === 0) return `${overview(commands)}\n\nExit codes:\n${exitCodes()}`;
  const found = findCommand(words, commands);
  if (found !== undefined) return helpOf(found);
  const related = commands.filter(({ name }) => name.startsWith(`${words[0]} `));
  if (related.length > 0) return related.map((command) => row(command.name, command.summary).trim()).join('\n');
  throw new UsageError(`There is no command '${words.join(' ')}'. \`laurel help\` lists them.`);
}

/** The usage line of a command. */
export function usageOf(command: Command): string {
  const required = Object.entries(command.options).filter(([, option]) => option.required);
  const flags = required.map(([name, option]) => ` ${flagOf(name, option)}`).join('');
  const more = Object.keys(command.options).length > required.length ? ' [options]' : '';
  return `laurel ${command.name}${argsOf(command)}${flags}${more}`;
}

function argsOf({ args = [] }: Command): string {
  return args.map(({ name, many }) => ` ${name}${many ? '...' : ''}`).join('');
}

function flagOf(name: string, { type, value, choices = [] }: Option): string {
  return type === 'boolean' ? `--${name}` : `--${name} ${value ?? choices.join('|')}`;
}

function section(heading: string, rows: readonly string[]): string[] {
  return rows.length === 0 ? [] : [`${heading}:\n${rows.join('\n')}`];
}

function exitCodes(): string {
  return Object.entries(EXIT_CODES)
    .map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`)
    .join('\n');
}

/** A row of two columns; a long name has the words on the next line. */
function row(name: string, words: string): string {
  return name.length < WIDTH ? `  ${name.padEnd(WIDTH)}${words}` : `  ${name}\n  ${' '.repeat(WIDTH)}${words}`;
}
