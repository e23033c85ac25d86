import { createTransport } from 'nodemailer';
import type { SmtpSettings } from './smtp-settings.ts';
import { errorText, type SendResult } from './send-result.ts';

/** An e-mail to send. */
export type Mail = {
  /** The id of a repeated message is the same, so that mail programs show it once. */
  readonly id: string;
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** Sends e-mails. */
export type Mailer = {
  /** Makes one attempt. Never rejects: the outcome has the error. */
  send(mail: Mail): Promise<SendResult>;
};

/** Milliseconds for each step of a conversation with the mail server. */
const STEP_MS = 5_000;

/** Sends mails by SMTP, each over its own connection, because they are few. */
export function createMailer({ from, auth, secure, ...server }: SmtpSettings): Mailer {
  const transport = createTransport({
    ...server,
    secure,
    auth,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    // A password needs TLS, except on this machine, where no third party reads the connection.
    requireTLS: auth !== undefined && !secure && !isThisMachine(server.host),
    // The message is our own text without references to files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'laurel';
  return {
    async send({ id, to, ...parts }) {
      const headers = { 'Auto-Submitted': 'auto-generated' };
      try {
        const info = await transport.sendMail({ ...parts, from, to: [...to], headers, messageId: `<${id}@${domain}>` });
        const { length } = info.rejected;
        if (length === 0) return { sent: true };
        return { sent: true, error: errorText('RECIPIENTS_REFUSED', `${length}/${to.length}`) };
      } catch (error) {
        return { sent: false, error: wordsOf(error) };
      }
    },
  };
}

function isThisMachine(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1'].includes(host);
}

/** The code and the answer of the server. The library's own message may contain the sent data. */
function wordsOf(error: unknown): string {
  const { code, response } = (error ?? {}) as { readonly code?: unknown; readonly response?: unknown };
  return errorText(typeof code === 'string' ? code : 'INTERNAL', typeof response === 'string' ? response : '');
}
