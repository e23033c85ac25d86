// The script at `/widgets.js`: defines the elements, and leaves `Laurel.connect` for the page.
import { connect, define } from './index.ts';

define();
Object.assign(globalThis, { Laurel: { connect } });
