import { Connection, type ConnectionSettings } from '../connection/connection.ts';
import type { Languages } from './words.ts';

/** The settings of a page. */
export type Settings = ConnectionSettings & {
  /** Texts by language, which replace those of the widgets: `{ en: { pointsTitle: 'Stars' } }`. */
  readonly texts?: Languages;
};

/** The connection of a page, and its texts. */
export type Connected = { readonly connection: Connection; readonly texts: Languages };

let present: Connected | undefined;
const waiting = new Set<(connected: Connected) => void>();

/** Connects all widgets of the page, also those that come later. Another call connects them with another account. */
export function connect({ token, url, texts = {} }: Settings): void {
  present = { connection: new Connection({ token, url }), texts };
  for (const listener of waiting) listener(present);
}

/** Calls the listener with the present connection, if there is one, and with each later one. @returns the end of it */
export function onConnected(listener: (connected: Connected) => void): () => void {
  waiting.add(listener);
  if (present !== undefined) listener(present);
  return () => waiting.delete(listener);
}
