/** A mail server, and the sender of its messages. */
export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS, which is required if there is a password. */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
  /** An address, or a name and an address: `Laurel <laurel@example.com>`. */
  readonly from: string;
};

/** An address alone, or a name before an address in angle brackets; the mail server checks the rest. */
const FROM = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * The settings `LAUREL_SMTP_URL` and `LAUREL_SMTP_FROM`; undefined if neither is set.
 * @throws Error that names the wrong setting, without its value: the URL may have a password
 */
export function smtpSettings(url: string | undefined, from: string | undefined): SmtpSettings | undefined {
  if (!url && !from) return undefined;
  if (!url) throw new Error('Sending e-mails needs LAUREL_SMTP_URL as well.');
  if (!from) throw new Error('Sending e-mails needs LAUREL_SMTP_FROM as well.');
  if (!FROM.test(from))
    throw new Error(`LAUREL_SMTP_FROM must be an e-mail address, such as Laurel <laurel@example.com>, not '${from}'.`);
  return { ...serverOf(url), from };
}

function serverOf(text: string): Omit<SmtpSettings, 'from'> {
  const url = URL.parse(text);
  const usual = url === null ? undefined : PORTS[url.protocol];
  const isBare = url !== null && url.hostname !== '' && ['', '/'].includes(url.pathname) && !url.search && !url.hash;
  if (url === null || usual === undefined || !isBare) {
    throw new Error(
      'LAUREL_SMTP_URL must be smtp://user:password@host:port or smtps://..., with user, password and port where they are needed.',
    );
  }
  if ((url.username === '') !== (url.password === ''))
    throw new Error('LAUREL_SMTP_URL must have both a user and a password, or neither.');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? usual : Number(url.port),
    secure: url.protocol === 'smtps:',
    auth: url.username === '' ? undefined : { user: decoded(url.username), pass: decoded(url.password) },
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('LAUREL_SMTP_URL must have user and password percent-encoded: % is written %25, @ is written %40.');
  }
}
