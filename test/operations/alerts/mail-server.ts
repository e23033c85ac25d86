import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { SmtpSettings } from '../../../src/alerts/delivery/smtp-settings.ts';

/** A message as the mail server took it: to whom, and its source. */
export type TakenMail = { readonly to: readonly string[]; readonly source: string };

/** A mail server on loopback, which speaks the whole protocol. */
export type MailServer = {
  readonly smtp: SmtpSettings;
  readonly taken: readonly TakenMail[];
  /** Resolves when `count` messages have been taken in all. */
  got(count: number): Promise<readonly TakenMail[]>;
  close(): Promise<void>;
};

export const USER = { user: 'laurel', pass: 'p4ss w:rd@' } as const;

/** Starts one that wants a password. @param refuses what it says to a recipient that it does not want */
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
