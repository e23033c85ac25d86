import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { SmtpSettings } from '../../../src/alerts/delivery/smtp-settings.ts';

/** A message as the mail server received it: its recipient and its source. */
export type TakenMail = { readonly to: readonly string[]; readonly source: string };

/** A mail server on loopback with the complete protocol. */
export type MailServer = {
  readonly smtp: SmtpSettings;
  readonly taken: readonly TakenMail[];
  /** Resolves after `count` messages in total have been received. */
  got(count: number): Promise<readonly TakenMail[]>;
  close(): Promise<void>;
};

export const USER = { user: 'laurel', pass: 'p4ss w:rd@' } as const;

/**
 * Starts a mail server that requires a password.
 * @param refuses its reply for a refused recipient
 */
export async function startMailServer(
  refuses: (recipient: string) => string | undefined = () => undefined,
): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const waiting: Array<() => void> = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === USER.user && password === USER.pass) done(null, { user: username });
      else done(Object.assign(new Error('5.7.8 who are you'), { responseCode: 535 }));
    },
    onRcptTo({ address }, _session, done) {
      const refusal = refuses(address);
      done(refusal === undefined ? null : Object.assign(new Error(refusal), { responseCode: 550 }));
    },
    onData(stream, { envelope }, done) {
      void text(stream).then((source) => {
        taken.push({ to: envelope.rcptTo.map(({ address }) => address), source });
        for (const wake of waiting.splice(0)) wake();
        done(null, 'taken');
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    smtp: { host: '127.0.0.1', port, secure: false, auth: USER, from: 'Laurel <laurel@example.com>' },
    taken,
    async got(count) {
      while (taken.length < count) await new Promise<void>((wake) => waiting.push(wake));
      return taken;
    },
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}
