// The script at `/widgets.js`: defines the elements, and leaves `Laurel.connect` for the page.
import { connect, define, type Settings } from './index.ts';

/** The folder of the script: the address of Laurel, also below the path of a proxy. */
const own = new URL('.', (document.currentScript as HTMLScriptElement).src).href;

define();
Object.assign(globalThis, {
  Laurel: { connect: (settings: Omit<Settings, 'url'> & Partial<Settings>) => connect({ url: own, ...settings }) },
});
