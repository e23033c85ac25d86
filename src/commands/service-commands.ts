import { type Command, localCommand, SERVICE, serviceCommand } from './command.ts';

const ACCOUNT = { name: 'ACCOUNT', help: 'the id of the account, as --id-type says' } as const;
const ID_TYPE = {
  type: 'string',
  choices: ['EXTERNAL', 'INTERNAL'],
  help: 'whether ACCOUNT is your own id or a UUID of Laurel; EXTERNAL by default',
} as const;
const LIMIT = { type: 'string', value: 'N', help: 'the most rows, 1-1000; 20 by default' } as const;

/** The parts of an event on the command line. */
const EVENT = {
  args: [{ name: 'CODE', help: 'the code of an event definition' }, ACCOUNT],
  options: {
    amount: { type: 'string', value: 'N', help: 'the amount of an AMOUNT event' },
    attribute: {
      type: 'string',
      value: 'NAME=VALUE',
      multiple: true,
      help: 'an attribute that the definition declares; numbers, true, false and "quoted texts" as in JSON',
    },
    'occurred-at': { type: 'string', value: 'TIME', help: 'RFC 3339, at most 24 hours back; now by default' },
    'id-type': ID_TYPE,
  },
} as const;

/** The commands on a running service; they use the client for TypeScript. */
export const serviceCommands = [
  serviceCommand({
    name: 'events emit',
    summary: 'Send an event and print its effect.',
    args: EVENT.args,
    options: {
      ...EVENT.options,
      'operation-id': { type: 'string', value: 'ID', help: 'the id of your operation; random by default' },
    },
    example: 'laurel events emit PURCHASE pia --amount 12.5 --operation-id order-4711',
    run: async (typed) => (await import('../remote/emit-event.ts')).emitEvent(typed),
  }),
  serviceCommand({
    name: 'events replay',
    summary: 'Send the events of a file, one JSON object a line; to resume, run it again.',
    args: [{ name: 'FILE', help: 'events as POST /gamification/triggers takes them; - reads standard input' }],
    options: {
      batch: { type: 'string', value: 'N', help: 'the events of one call, 1-1000; 200 by default' },
      'from-line': { type: 'string', value: 'N', help: 'the first line to send; 1 by default' },
      'id-type': { ...ID_TYPE, help: 'the kind of the account ids in lines that do not say it; EXTERNAL by default' },
    },
    example: 'laurel events replay events.ndjson',
    run: async (typed) => (await import('../remote/replay-events.ts')).replayEvents(typed),
  }),
  serviceCommand({
    name: 'accounts show',
    summary: 'Print an account with its points and missions.',
    args: [ACCOUNT],
    options: { 'id-type': ID_TYPE },
    example: 'laurel accounts show pia',
    run: async (typed) => (await import('../remote/show-account.ts')).showAccount(typed),
  }),
  serviceCommand({
    name: 'accounts timeline',
    summary: 'Print what happened to an account, the latest first; it needs an access token.',
    args: [ACCOUNT],
    options: {
      'id-type': ID_TYPE,
      limit: LIMIT,
      kind: {
        type: 'string',
        multiple: true,
        // oxlint-disable-next-line laurel/types -- kinds of entries, some of which share their names with types
        choices: ['EVENT', 'MISSION', 'CAMPAIGN', 'REWARD', 'POINTS', 'CHEST', 'REDEMPTION', 'RESERVATION', 'CHANGE'],
        help: 'the kinds of entries; all by default',
      },
    },
    example: 'laurel accounts timeline pia --kind EVENT --limit 5',
    run: async (typed) => (await import('../remote/show-timeline.ts')).showTimeline(typed),
  }),
  serviceCommand({
    name: 'accounts feed',
    summary: 'Print the missions of an account; an unknown external id becomes an account.',
    args: [ACCOUNT],
    options: {
      'id-type': ID_TYPE,
      status: { type: 'string', choices: ['ACTIVE', 'COMPLETED', 'EXPIRED'], help: 'ACTIVE by default' },
    },
    example: 'laurel accounts feed pia --output json',
    run: async (typed) => (await import('../remote/show-feed.ts')).showFeed(typed),
  }),
  serviceCommand({
    name: 'simulate',
    summary: 'Print the effect that an event would have, without applying it.',
    args: EVENT.args,
    options: {
      ...EVENT.options,
      explain: { type: 'boolean', help: 'say why it would not count, and name the rewards and webhooks' },
    },
    example: 'laurel simulate PURCHASE pia --amount 12.5 --explain',
    run: async (typed) => (await import('../remote/simulate-event.ts')).simulateEvent(typed),
  }),
  serviceCommand({
    name: 'campaigns list',
    summary: 'List the campaigns, the newest first; it needs an access token.',
    options: {
      limit: LIMIT,
      status: { type: 'string', choices: ['DRAFT', 'ACTIVE', 'PAUSED', 'ENDED'], help: 'all by default' },
    },
    example: 'laurel campaigns list --status ACTIVE',
    run: async (typed) => (await import('../remote/list-campaigns.ts')).listCampaigns(typed),
  }),
  {
    ...localCommand({
      name: 'mcp',
      summary: 'Serve the operations as tools for assistants (Model Context Protocol), on standard input and output.',
      options: {
        ...SERVICE,
        http: { type: 'boolean', help: 'serve HTTP at /mcp on 127.0.0.1 instead; callers send their own keys' },
        port: { type: 'string', value: 'N', help: 'the port of --http; 8090 by default, 0 for any free one' },
        'host-name': {
          type: 'string',
          value: 'NAME',
          multiple: true,
          help: 'a name of this server behind a proxy; without one it answers to localhost only',
        },
        'allow-writes': { type: 'boolean', help: 'offer changes, too; by default reads and simulations only' },
        tools: { type: 'string', value: 'PART,PART', help: 'offer only tools with such a part in their names' },
      },
      example: 'laurel mcp --tools account,campaign',
      run: async (typed) => {
        const [{ runMcp }, { readRelease }] = await Promise.all([
          import('../mcp/run-mcp.ts'),
          import('../app/release.ts'),
        ]);
        await runMcp(typed, readRelease().version);
      },
    }),
    group: 'service',
  } satisfies Command,
];
