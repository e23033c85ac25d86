import { localCommand } from './command.ts';

/** The commands that need neither a database nor a service. */
export const localCommands = [
  localCommand({
    name: 'webhooks listen',
    summary: 'Receive webhooks, verify their signatures and print them; the secret comes from LAUREL_WEBHOOK_SECRET.',
    options: {
      port: { type: 'string', value: 'N', help: 'the port on 127.0.0.1; 4318 by default, 0 for any free one' },
      to: { type: 'string', value: 'URL', help: 'pass verified webhooks on, and answer with its status' },
      output: { type: 'string', choices: ['table', 'json', 'yaml'], help: 'the form of the output; table by default' },
      count: { type: 'string', value: 'N', help: 'end after so many verified webhooks; never by default' },
    },
    example: 'laurel webhooks listen --port 4318 --count 1',
    run: async (typed) => (await import('../remote/listen-webhooks.ts')).listenWebhooks(typed),
  }),
  localCommand({
    name: 'profiles set',
    summary: 'Store an address and a key, from LAUREL_KEY or standard input, in a file that only you can read.',
    args: [{ name: 'NAME', help: 'the name of the profile; `default` is used without --profile' }],
    options: { url: { type: 'string', value: 'URL', required: true, help: 'the address of the service' } },
    example: 'laurel profiles set default --url http://127.0.0.1:8080',
    run: async (typed) => (await import('../remote/profiles.ts')).setProfile(typed),
  }),
  localCommand({
    name: 'profiles list',
    summary: 'List the profiles with their addresses, without keys.',
    example: 'laurel profiles list',
    run: async () => (await import('../remote/profiles.ts')).listProfiles(),
  }),
  localCommand({
    name: 'completion',
    summary: 'Print the completion of a shell.',
    args: [{ name: 'SHELL', help: 'bash, zsh or fish' }],
    example: 'laurel completion bash',
    run: async ({ args: [shell = ''] }, commands) => {
      const { completionOf } = await import('./completion.ts');
      process.stdout.write(completionOf(shell, commands));
    },
  }),
  localCommand({
    name: 'help',
    summary: 'Print the commands, or the arguments, options and example of one.',
    args: [{ name: 'COMMAND', many: true, help: 'the words of a command; none lists all' }],
    example: 'laurel help events emit',
    run: async ({ args }, commands) => {
      const { helpFor } = await import('./help.ts');
      console.log(helpFor(args, commands));
    },
  }),
];
