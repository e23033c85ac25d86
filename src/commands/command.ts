import type { Config } from '../app/config.ts';

/** An option of a command. */
export type Option = {
  readonly type: 'string' | 'boolean';
  /** The placeholder of its value in help texts; by default its choices. */
  readonly value?: string;
  /** The allowed values; any text by default. */
  readonly choices?: readonly string[];
  /** Whether it may be given several times. */
  readonly multiple?: boolean;
  /** Whether the usage line names it; the command itself says what is missing. */
  readonly required?: boolean;
  readonly help: string;
};

/** The options of a command by their names, without dashes. */
export type Options = Readonly<Record<string, Option>>;

/** The values of options as their types say. */
export type ValuesOf<O extends Options> = {
  readonly [K in keyof O]?:
    | (O[K] extends { readonly multiple: true }
        ? string[]
        : O[K] extends { readonly type: 'boolean' }
          ? boolean
          : string)
    | undefined;
};

/** An argument of a command. */
export type Argument = { readonly name: string; readonly help: string; readonly many?: boolean };

/** The options and arguments with which a command runs. */
export type Typed<O extends Options = Options> = { readonly options: ValuesOf<O>; readonly args: readonly string[] };

/** The groups of commands, with their headings in help texts. */
export const GROUPS = {
  database: 'On the database, with the settings of the service (docs/operations.md)',
  service: 'On a running service, by --url, LAUREL_URL or a profile',
  here: 'On this machine',
} as const;

/** Everything about a command: its help, its completion and its part of docs/commands.md are made from it. */
export type Command<O extends Options = Options> = {
  /** The words after `laurel`. */
  readonly name: string;
  readonly group: keyof typeof GROUPS;
  /** One sentence, with a verb in front. */
  readonly summary: string;
  readonly args?: readonly Argument[];
  readonly options: O;
  /** A command line that a test runs. It may use shell variables for ids. */
  readonly example: string;
  /** Runs it; `commands` are all of them, for help and completion. */
  readonly run: (typed: Typed<O>, commands: readonly Command[]) => Promise<void>;
};

type Parts<O extends Options> = Omit<Command<O>, 'group' | 'options' | 'run'> & { readonly options?: O };

/** A command on this machine. */
export function localCommand<const O extends Options>(parts: Parts<O> & Pick<Command<O>, 'run'>): Command {
  return { options: {}, ...parts, group: 'here' } as unknown as Command;
}

/** The options that say which service is called. */
export const SERVICE = {
  url: { type: 'string', value: 'URL', help: 'the address of the service; its key comes from LAUREL_KEY' },
  profile: { type: 'string', value: 'NAME', help: 'the profile with address and key, instead of --url' },
} as const satisfies Options;

/** The options of every command that calls a service and prints its answer. */
const CONNECTION = {
  ...SERVICE,
  output: { type: 'string', choices: ['table', 'json', 'yaml'], help: 'the form of the output; table by default' },
} as const satisfies Options;

/** The options that say which service is called, and how its answer is printed. */
export type ConnectionValues = ValuesOf<typeof CONNECTION>;

/** A command that calls a running service. */
export function serviceCommand<const O extends Options>(
  parts: Parts<O> & { readonly run: (typed: Typed<O & typeof CONNECTION>) => Promise<void> },
): Command {
  return { ...parts, options: { ...parts.options, ...CONNECTION }, group: 'service' } as unknown as Command;
}

/** A command that reads the settings of the service, most of them to work on its database. */
export function databaseCommand<const O extends Options>(
  parts: Parts<O> & { readonly run: (config: Config, typed: Typed<O>) => Promise<void> },
): Command {
  const run = async (typed: Typed): Promise<void> => {
    // Loaded late, because other commands do not wait for the modules of the service.
    const { readConfig } = await import('../app/config.ts');
    const config = readConfig(process.env, typed.options);
    // The command `serve` warns in its log.
    const unknown = parts.name === 'serve' ? [] : config.unknownSettings;
    for (const setting of unknown) console.error(`${setting} is no setting of this release, and does nothing.`);
    await parts.run(config, typed as Typed<O>);
  };
  return { options: {}, ...parts, group: 'database', run } as unknown as Command;
}
