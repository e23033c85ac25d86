import type { CauseKind } from '../../activity/causes.ts';
import type { Cause } from '../../activity/causes-of.ts';
import type { AlertLanguage } from './language.ts';

/** The language of a message, and the time zone of its moments. */
export type Reader = { readonly language: AlertLanguage; readonly timeZone: string };

/** The values of a sentence about a cause. */
type Figures = {
  readonly name: string;
  readonly product: string;
  readonly count: number;
  readonly until: string;
  readonly stock: 'OUT' | 'SOON' | 'LOW';
  /** The events or points of an account in an hour, and the usual. */
  readonly observed: string;
  readonly usual: string;
  /** A webhook endpoint fails, and not the webhook of a type. */
  readonly isEndpoint: boolean;
};

type Words = Readonly<Record<CauseKind, (figures: Figures) => string>>;

/** Types of webhooks, as in the console. */
const WEBHOOKS: Readonly<Record<AlertLanguage, Readonly<Record<string, string>>>> = {
  EN: {
    REWARDS: 'Rewards delivered',
    PUBLICATION_STATUS: 'Publication status',
    MISSION_COMPLETED: 'Mission completed',
    STOCK_LOW: 'Stock low',
  },
  ES: {
    REWARDS: 'Recompensas entregadas',
    PUBLICATION_STATUS: 'Estado de publicaciones',
    MISSION_COMPLETED: 'Misión completada',
    STOCK_LOW: 'Pocas unidades',
  },
};

const soldOutEn = ({ stock, until }: Figures) =>
  ({ OUT: 'is out of stock', SOON: `is sold out at this rate by ${until}`, LOW: 'runs low' })[stock];
const soldOutEs = ({ stock, until }: Figures) =>
  ({ OUT: 'está agotado', SOON: `se agota a este ritmo el ${until}`, LOW: 'tiene pocas existencias' })[stock];

const WORDS: Readonly<Record<AlertLanguage, Words>> = {
  EN: {
    WEBHOOK_FAILING: ({ name, isEndpoint }) => `The ${isEndpoint ? 'endpoint' : 'webhook'} “${name}” fails.`,
    DEAD_TRIGGERS: ({ count }) => `${counted(count, 'event', 'events')} could not be applied.`,
    REWARDS_WAITING: ({ count, name }) => `${counted(count, 'reward waits', 'rewards wait')} for units of ${name}.`,
    PRODUCT_LOW: (figures) => `${figures.name} ${soldOutEn(figures)}.`,
    PUBLICATION_PAUSED: ({ name }) => `The publication ${name} was paused when it ran out, and has units again.`,
    CAMPAIGN_SHORT: (figures) => `The campaign ${figures.name} gives ${figures.product}, which ${soldOutEn(figures)}.`,
    CONDITION_LACKING: ({ name, count }) =>
      `${counted(count, 'recent event', 'recent events')} lacked an attribute of the condition of ${name}.`,
    CAMPAIGN_ENDING: ({ name, until }) => `The campaign ${name} ends on ${until}.`,
    IMPORT_FAILED: ({ name }) => `The import of ${name} failed.`,
    CALLS_REFUSED: ({ name, count }) =>
      `${counted(count, 'call', 'calls')} of ${name} ${count === 1 ? 'was' : 'were'} refused.`,
    CLOSE_WAITING: ({ name }) => `The leaderboard ${name} should be closed by now.`,
    EVENTS_OUTLIER: ({ name, observed, usual }) =>
      `Account ${name} sent ${observed} events in an hour; usual is ${usual}.`,
    POINTS_OUTLIER: ({ name, observed, usual }) =>
      `Account ${name} earned ${observed} points in an hour; usual is ${usual}.`,
    CLOCK_DOUBTED: () => `The clock of the database is not trusted: nothing is deleted or expires until it is.`,
  },
  ES: {
    WEBHOOK_FAILING: ({ name, isEndpoint }) => `El ${isEndpoint ? 'destino' : 'webhook'} «${name}» falla.`,
    DEAD_TRIGGERS: ({ count }) => `${counted(count, 'evento no se pudo', 'eventos no se pudieron')} aplicar.`,
    REWARDS_WAITING: ({ count, name }) =>
      `${counted(count, 'recompensa espera', 'recompensas esperan')} unidades de ${name}.`,
    PRODUCT_LOW: (figures) => `${figures.name} ${soldOutEs(figures)}.`,
    PUBLICATION_PAUSED: ({ name }) => `La publicación ${name} se pausó al agotarse, y vuelve a tener unidades.`,
    CAMPAIGN_SHORT: (figures) => `La campaña ${figures.name} da ${figures.product}, que ${soldOutEs(figures)}.`,
    CONDITION_LACKING: ({ name, count }) =>
      `En ${counted(count, 'evento reciente', 'eventos recientes')} faltó un atributo de la condición de ${name}.`,
    CAMPAIGN_ENDING: ({ name, until }) => `La campaña ${name} termina el ${until}.`,
    IMPORT_FAILED: ({ name }) => `La importación de ${name} falló.`,
    CALLS_REFUSED: ({ name, count }) =>
      `Se ${count === 1 ? 'rechazó' : 'rechazaron'} ${counted(count, 'llamada', 'llamadas')} de ${name}.`,
    CLOSE_WAITING: ({ name }) => `La clasificación ${name} ya debería estar cerrada.`,
    EVENTS_OUTLIER: ({ name, observed, usual }) =>
      `La cuenta ${name} envió ${observed} eventos en una hora; lo habitual es ${usual}.`,
    POINTS_OUTLIER: ({ name, observed, usual }) =>
      `La cuenta ${name} ganó ${observed} puntos en una hora; lo habitual es ${usual}.`,
    CLOCK_DOUBTED: () => `El reloj de la base de datos no es de fiar: hasta que lo sea, nada se borra ni caduca.`,
  },
};

/** One sentence about the cause. */
export function sentenceOf(
  { kind, subject = '', productName = '', count = 0, until, observed = 0, usual = 0, ...stock }: Cause,
  reader: Reader,
): string {
  const { unitsLeft = 0, subjectId } = stock;
  const isWebhook = kind === 'WEBHOOK_FAILING' && subjectId === undefined;
  return WORDS[reader.language][kind]({
    name: WEBHOOKS[reader.language][isWebhook ? subject : ''] ?? subject,
    product: productName,
    count,
    until: until === undefined ? '' : momentText(until, reader),
    observed: numberText(observed, reader),
    usual: numberText(usual, reader),
    isEndpoint: kind === 'WEBHOOK_FAILING' && !isWebhook,
    stock: unitsLeft === 0 ? 'OUT' : until === undefined ? 'LOW' : 'SOON',
  });
}

/** A moment with its zone: `24 November 2026 at 10:00 (Europe/Madrid)`. */
export function momentText(moment: Date, { language, timeZone }: Reader): string {
  const locale = language === 'ES' ? 'es' : 'en-GB';
  return `${new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }).format(moment)} (${timeZone})`;
}

function numberText(value: number, { language }: Reader): string {
  return new Intl.NumberFormat(language === 'ES' ? 'es' : 'en-GB').format(value);
}

function counted(count: number, one: string, more: string): string {
  return `${count} ${count === 1 ? one : more}`;
}

/** The outcomes of failed attempts, as the console's list accepts them. */
const FAILURES = 'REFUSED,TIMED_OUT,FAILED';

/** The console page for a cause of each kind, relative to the console. A test compares them with the links of the overview. */
const PATHS: Readonly<Record<CauseKind, (cause: Cause) => string>> = {
  WEBHOOK_FAILING: ({ subjectId, subject = '' }) => {
    const receiver: Record<string, string> = subjectId === undefined ? { type: subject } : { endpointId: subjectId };
    return `/webhooks?${new URLSearchParams({ ...receiver, outcome: FAILURES })}`;
  },
  DEAD_TRIGGERS: () => '/dead-triggers',
  REWARDS_WAITING: ({ subjectId }) => `/products/${subjectId}`,
  PRODUCT_LOW: ({ subjectId }) => `/products/${subjectId}`,
  PUBLICATION_PAUSED: ({ subjectId }) => `/publications/${subjectId}`,
  CAMPAIGN_SHORT: ({ subjectId }) => `/campaigns/${subjectId}`,
  CONDITION_LACKING: ({ subjectId, campaignId }) =>
    campaignId === undefined ? `/campaigns/missions/${subjectId}` : `/campaigns/${campaignId}`,
  CAMPAIGN_ENDING: ({ subjectId }) => `/campaigns/${subjectId}`,
  IMPORT_FAILED: ({ subjectId }) => `/imports/${subjectId}`,
  CALLS_REFUSED: ({ subject = '' }) => `/refused-calls?${new URLSearchParams({ operation: subject })}`,
  CLOSE_WAITING: ({ subjectId }) => `/leaderboards/${subjectId}`,
  EVENTS_OUTLIER: ({ subjectId }) => `/accounts/${subjectId}`,
  POINTS_OUTLIER: ({ subjectId }) => `/accounts/${subjectId}`,
  CLOCK_DOUBTED: () => '/',
};

/** The console page of a cause; undefined without a configured address of the console. */
export function linkOf(cause: Cause, clientId: string, publicUrl: URL | undefined): string | undefined {
  if (publicUrl === undefined) return undefined;
  const link = new URL(`/console${PATHS[cause.kind](cause)}`, publicUrl);
  link.searchParams.set('client', clientId);
  return link.href;
}
