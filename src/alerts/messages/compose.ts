import type { Cause } from '../../activity/causes-of.ts';
import type { Mail } from '../delivery/mailer.ts';
import { type AlertTexts, alertTexts } from './alert-texts.ts';
import { linkOf, momentText, sentenceOf } from './cause-words.ts';
import type { AlertLanguage } from './language.ts';

/** The content and the reader of a message. */
export type AlertMessage = {
  /** The id of the message; a repeated message has the same id. */
  readonly id: string;
  readonly client: { readonly id: string; readonly name: string; readonly timeZone: string };
  readonly language: AlertLanguage;
  /** A trial message has no causes. */
  readonly causes: readonly Cause[];
  readonly publicUrl: URL | undefined;
};

type Line = { readonly cause: Cause; readonly sentence: string; readonly link: string | undefined };

/** The body of the webhook: JSON. A trial message has `test` and no causes. */
export function alertBody(message: AlertMessage, now: Date): string {
  const { id, client, causes } = message;
  const lines = linesOf(message).map(({ cause, sentence, link }) => ({
    key: cause.key,
    kind: cause.kind,
    severity: cause.severity,
    sentence,
    link,
    subjectId: cause.subjectId,
    subject: cause.subject,
    count: cause.count,
    since: cause.since?.toISOString(),
    until: cause.until?.toISOString(),
  }));
  return JSON.stringify({
    type: 'ALERTS',
    id,
    clientId: client.id,
    clientName: client.name,
    sentAt: now.toISOString(),
    ...(causes.length === 0 && { test: true }),
    causes: lines,
  });
}

/** The message as an e-mail, in plain text and in HTML. */
export function alertMail(message: AlertMessage, to: readonly string[]): Mail {
  const { id, client, language, causes } = message;
  const texts = alertTexts[language];
  const isTest = causes.length === 0;
  const first = isTest ? texts.test(client.name) : texts.heading(client.name);
  const lines = linesOf(message);
  return {
    id,
    to,
    subject: isTest ? texts.testSubject(client.name) : texts.subject(client.name, causes.length),
    text: [first, ...lines.map((line) => plainLine(line, message, texts)), '-- ', texts.footer(client.name), ''].join(
      '\n\n',
    ),
    html: htmlOf([
      `<p>${escaped(first)}</p>`,
      ...(isTest ? [] : [`<ul>${lines.map((line) => htmlLine(line, message, texts)).join('')}</ul>`]),
      `<p style="color:#666;font-size:small">${escaped(texts.footer(client.name))}</p>`,
    ]),
  };
}

function linesOf({ causes, client, language, publicUrl }: AlertMessage): Line[] {
  const reader = { language, timeZone: client.timeZone };
  return causes.map((cause) => ({
    cause,
    sentence: sentenceOf(cause, reader),
    link: linkOf(cause, client.id, publicUrl),
  }));
}

function plainLine({ cause, sentence, link }: Line, message: AlertMessage, texts: AlertTexts): string {
  const more = moreOf(cause, message, texts);
  return [`* ${sentence}${more === '' ? '' : ` (${more})`}`, ...(link === undefined ? [] : [`  ${link}`])].join('\n');
}

function htmlLine({ cause, sentence, link }: Line, message: AlertMessage, texts: AlertTexts): string {
  const more = moreOf(cause, message, texts);
  const html = escaped(sentence);
  const linked = link === undefined ? html : `<a href="${escaped(link)}">${html}</a>`;
  return `<li>${linked}${more === '' ? '' : ` <small>(${escaped(more)})</small>`}</li>`;
}

function moreOf({ severity, since }: Cause, { language, client }: AlertMessage, texts: AlertTexts): string {
  const at = since && texts.since(momentText(since, { language, timeZone: client.timeZone }));
  return [severity === 'URGENT' ? texts.urgent : undefined, at].filter((part) => part !== undefined).join(', ');
}

function htmlOf(parts: readonly string[]): string {
  return `<!doctype html><html><body style="font-family:sans-serif">${parts.join('\n')}</body></html>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
