import { UsageError } from '../kernel/usage-error.ts';
import type { Command, Option } from './command.ts';

/**
 * The completion of a shell, for `source <(laurel completion bash)`.
 * @throws UsageError for another shell
 */
export function completionOf(shell: string, commands: readonly Command[]): string {
  const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined;
  if (script === undefined) throw new UsageError(`There is completion for bash, zsh and fish, not for '${shell}'.`);
  return script(commands);
}

const SHELLS: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish };

/** The texts that may follow some typed words: words of commands and options, and the values of options. */
type Followers = ReadonlyMap<string, ReadonlySet<string>>;

function followersOf(commands: readonly Command[]): Followers {
  const found = new Map<string, Set<string>>();
  const add = (after: string, word: string) => found.set(after, (found.get(after) ?? new Set()).add(word));
  for (const { name, options } of commands) {
    const words = name.split(' ');
    for (const [place, word] of words.entries()) add(words.slice(0, place).join(' '), word);
    for (const [option, { choices = [] }] of Object.entries(options)) {
      add(name, `--${option}`);
      for (const choice of choices) add(`${name} --${option}`, choice);
    }
  }
  return found;
}

/** The cases of a shell's `case`: typed words, and what may follow. */
function casesOf(commands: readonly Command[], line: (after: string, words: string) => string): string {
  return [...followersOf(commands)].map(([after, words]) => line(after, [...words].join(' '))).join('\n');
}

function bash(commands: readonly Command[]): string {
  return `# Completion of laurel for bash: source <(laurel completion bash)
_laurel() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} typed='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] && break
    typed="\${typed:+$typed }$word"
  done
  _laurel_words() {
    case $1 in
${casesOf(commands, (after, words) => `      '${after}') echo '${words}' ;;`)}
      *) return 1 ;;
    esac
  }
  local words command=$typed
  until words=$(_laurel_words "$command"); do
    [[ $command == *' '* ]] || { command=''; break; }
    command=\${command% *}
  done
  if [[ $previous == --* ]]; then words=$(_laurel_words "$command $previous") || words=''; [[ -n $words ]] || words=$(_laurel_words "$command"); fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -gt 0 || $current == -* ]] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _laurel laurel
`;
}

/** zsh runs the completion of bash, which it has a layer for. */
function zsh(commands: readonly Command[]): string {
  return `# Completion of laurel for zsh: source <(laurel completion zsh)
autoload -Uz bashcompinit && bashcompinit
${bash(commands).replace(/^#.*\n/, '')}`;
}

function fish(commands: readonly Command[]): string {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0]!))];
  const lines = [
    '# Completion of laurel for fish: laurel completion fish | source',
    ...firsts.map((word) => `complete -c laurel -n __fish_use_subcommand -f -a ${word}${firstWords(word, commands)}`),
    ...commands.flatMap(fishLines),
  ];
  return `${lines.join('\n')}\n`;
}

function fishLines({ name, summary, options }: Command): string[] {
  const [first = '', second] = name.split(' ');
  const seen = [first, ...(second === undefined ? [] : [second])].map((word) => `__fish_seen_subcommand_from ${word}`);
  const sub = second === undefined ? [] : [`complete -c laurel -n '${seen[0]}' -f -a ${second} -d ${quoted(summary)}`];
  return [...sub, ...Object.entries(options).map(([option, each]) => fishOption(seen.join('; and '), option, each))];
}

function fishOption(condition: string, name: string, { type, choices = [], help }: Option): string {
  const values = choices.length > 0 ? ` -x -a '${choices.join(' ')}'` : type === 'string' ? ' -r' : '';
  return `complete -c laurel -n '${condition}' -l ${name}${values} -d ${quoted(help)}`;
}

function firstWords(word: string, commands: readonly Command[]): string {
  const whole = commands.find(({ name }) => name === word);
  return whole === undefined ? '' : ` -d ${quoted(whole.summary)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
