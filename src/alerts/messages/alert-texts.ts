import type { AlertLanguage } from './language.ts';

/** The words around the causes of a message. */
export type AlertTexts = {
  readonly subject: (client: string, count: number) => string;
  readonly heading: (client: string) => string;
  readonly urgent: string;
  readonly since: (at: string) => string;
  /** The reason for the message, and the place to change it. */
  readonly footer: (client: string) => string;
  readonly testSubject: (client: string) => string;
  readonly test: (client: string) => string;
};

/** The texts by the language of the client's settings. */
export const alertTexts: Readonly<Record<AlertLanguage, AlertTexts>> = {
  EN: {
    subject: (client, count) => `${client}: ${count === 1 ? '1 thing needs' : `${count} things need`} attention`,
    heading: (client) => `This needs attention at ${client}:`,
    urgent: 'Urgent',
    since: (at) => `since ${at}`,
    footer: (client) =>
      `You get this because your address is among the recipients of alerts of ${client} in Laurel. Its administrators change that on the page “Alerts” of the console.`,
    testSubject: (client) => `${client}: a test of alerts`,
    test: (client) => `This is a test: alerts of ${client} arrive here. Nothing needs attention because of it.`,
  },
  ES: {
    subject: (client, count) =>
      `${client}: ${count === 1 ? '1 asunto requiere' : `${count} asuntos requieren`} atención`,
    heading: (client) => `Esto requiere atención en ${client}:`,
    urgent: 'Urgente',
    since: (at) => `desde el ${at}`,
    footer: (client) =>
      `Recibes esto porque tu dirección está entre los destinatarios de las alertas de ${client} en Laurel. Sus administradores lo cambian en la página «Alertas» de la consola.`,
    testSubject: (client) => `${client}: prueba de las alertas`,
    test: (client) => `Esto es una prueba: las alertas de ${client} llegan aquí. Nada requiere atención por ella.`,
  },
};
