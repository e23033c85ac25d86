// Parts of the pages are words of the code: the commands, the reasons for which an event does not count, an example. Every decision has its
// row in the index. `--write` writes the parts from the code; rows of decisions are written by hand.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { getOption, hasOption } from '@bufbuild/protobuf';
import { parse } from 'yaml';
import { account_token, AccountTokenUse_PermissionSchema } from '../gen/laurel/auth/v1/options_pb.ts';
import { routes } from '../gen/routes.ts';
import { uncountedReasons } from '../gen/uncounted-reasons.ts';
import { commands } from '../src/commands/commands.ts';
import { EXIT_CODES } from '../src/commands/exit-codes.ts';
import { helpOf, overview } from '../src/commands/help.ts';

/** The part of a page between `<!-- name: ... -->` and `<!-- end of name -->`. */
type Part = { readonly page: string; readonly name: string; readonly text: string };

const root = join(import.meta.dirname, '..');
const parts: readonly Part[] = [
  { page: 'docs/commands.md', name: 'commands', text: ['```text', overview(commands), '```'].join('\n') },
  { page: 'docs/commands.md', name: 'exit codes', text: exitCodes() },
  { page: 'docs/commands.md', name: 'each command', text: eachCommand() },
  {
    page: 'CONTRIBUTING.md',
    name: 'archiving a chest definition',
    text: [
      '<!-- prettier-ignore -->',
      '```ts',
      functionIn('src/rewards/chests/archive-chest-definition.ts'),
      '```',
    ].join('\n'),
  },
  { page: 'docs/guide/tokens.md', name: 'operations of tokens', text: tokenTable() },
  { page: 'docs/guide/events.md', name: 'uncounted reasons', text: reasonTable() },
  { page: 'docs/guide/missions.md', name: 'conditions of missions', text: conditionTable() },
];
const faults = [...parts.flatMap(differenceOf), ...decisionFaults()];
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

/** The exported function of a file with its comment, without the imports. */
function functionIn(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replace(/^[\s\S]*?(?=^\/\*\*)/m, '')
    .trimEnd();
}

function exitCodes(): string {
  const rows = Object.entries(EXIT_CODES).map(([code, meaning]) => `| ${code} | ${meaning} |`);
  return ['| Exit code | Meaning |', '| --- | --- |', ...rows].join('\n');
}

/** The help of every command. */
function eachCommand(): string {
  return commands
    .map((command) => [`### ${command.name}`, '', '```text', helpOf(command), '```'].join('\n'))
    .join('\n\n');
}

function reasonTable(): string {
  const rows = Object.entries(uncountedReasons).map(([reason, words]) => `| \`${reason}\` | ${words} |`);
  return ['| `uncountedReason` | Why the event would not count |', '| --- | --- |', ...rows].join('\n');
}

/** The conditions of missions with the comments of the proto, whose pages are links here. */
function conditionTable(): string {
  const { components } = parse(readFileSync(join(root, 'gen/openapi.yaml'), 'utf8'));
  const fields: Record<string, { description: string }> = components.schemas.MissionConditions.properties;
  const rows = Object.entries(fields).map(([name, { description }]) => `| \`${name}\` | ${description} |`);
  return ['| Condition | Meaning |', '| --- | --- |', ...rows]
    .join('\n')
    .replaceAll(/docs\/guide\/([a-z]+\.md)/g, '[$1]($1)');
}

/** The operations of each permission of account tokens, from the option of their protos. */
function tokenTable(): string {
  const permissions = AccountTokenUse_PermissionSchema.values.filter(({ number }) => number !== 0);
  const rows = permissions.flatMap(({ name, number }) =>
    routes
      .filter(({ rpc }) => hasOption(rpc, account_token) && getOption(rpc, account_token).permission === number)
      .map(
        ({ rpc, httpMethod, path }) => `| ${name} | \`${httpMethod} ${path}\` | \`${rpc.parent.name}.${rpc.name}\` |`,
      ),
  );
  return ['| Permission | REST | gRPC |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The fault of a page whose part is missing or differs; none after `--write`. */
function differenceOf({ page, name, text }: Part): string[] {
  const file = join(root, page);
  const present = readFileSync(file, 'utf8');
  const region = new RegExp(`(<!-- ${name}: .*-->\n\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
  if (!region.test(present)) return [`${page} has no comments around its part '${name}'.`];
  const written = present.replace(region, (_all, begin: string, end: string) => `${begin}${text}\n\n${end}`);
  if (withoutAlignment(written) === withoutAlignment(present)) return [];
  if (!process.argv.includes('--write')) return [`${page}: the part '${name}' differs from the code.`];
  writeFileSync(file, written);
  return [];
}

/** A page without the padding by which the formatter aligns a table. */
function withoutAlignment(page: string): string {
  return page.replaceAll(/^\|.*$/gm, (row) => row.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---'));
}

/** Faults of the index: each decision has one row, and each row a decision. */
function decisionFaults(): string[] {
  const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
  const listed = [...index.matchAll(/^\| \[\d{4}\]\((?<file>[^)]+)\)/gm)].map(({ groups }) => groups!['file']);
  const present = globSync('docs/decisions/[0-9]*.md', { cwd: root }).map((path) => basename(path));
  return [
    ...present
      .filter((file) => !listed.includes(file))
      .map((file) => `docs/decisions/README.md has no row for ${file}.`),
    ...listed.filter((file) => !present.includes(file)).map((file) => `docs/decisions/README.md: there is no ${file}.`),
    ...listed
      .filter((file, index) => listed.indexOf(file) !== index)
      .map((file) => `docs/decisions/README.md has two rows for ${file}.`),
  ];
}
