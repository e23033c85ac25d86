import type { Connection } from '../connection/connection.ts';
import { Refused, Unreachable } from '../connection/refused.ts';
import { type Connected, onConnected } from './connect.ts';
import { type Child, draw, h } from './dom.ts';
import { BASE_LOOK } from './style.ts';
import { type Languages, Words } from './words.ts';
import type { TextKey } from '../texts/en.ts';

/** Milliseconds in which several changes are one read. */
const TOGETHER_MS = 100;

/** Milliseconds after a read without an answer, and the longest time of a timer. */
const RETRY_MS = 15_000;
const NEVER_MS = 2 ** 31 - 1;

/** A server that renders pages has no elements, and imports the package all the same. */
const Base = globalThis.HTMLElement ?? (Object as unknown as typeof HTMLElement);

const sheets = new Map<string, CSSStyleSheet>();

/**
 * A widget: reads a part of the account, shows it, and reads it again when it changes. Without the network it keeps what it shows, and says
 * so. A subclass says which part it is, and how it looks.
 */
export abstract class LaurelElement<Data> extends Base {
  static readonly observedAttributes: readonly string[] = ['lang'];

  /** The kinds of changes after which it is read again. */
  protected abstract readonly kinds: readonly string[];
  protected abstract readonly heading: TextKey;
  /** Its own look, beside the common one. */
  protected readonly look: string = '';
  /** Milliseconds after which a visible widget is read again, for data that no change announces. */
  protected readonly everyMs: number | undefined;

  #connection: Connection | undefined;
  #texts: Languages = {};
  #data: Data | undefined;
  #refusal: Refused | undefined;
  #reading = 0;
  /** Whether the last read got no answer. */
  #isStale = false;
  #next: ReturnType<typeof setTimeout> | undefined;
  #leave = (): void => undefined;
  #ends: readonly (() => void)[] = [];

  /** Reads the data. */
  protected abstract load(connection: Connection): Promise<Data>;

  /** The content below the title. */
  protected abstract view(data: Data, words: Words): readonly Child[];

  /** A short text beside the title. */
  protected aside(_data: Data, _words: Words): Child {
    return undefined;
  }

  /** Forgets what it knows about the account, because the page has another one. */
  protected forget(): void {}

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheetOf(BASE_LOOK), sheetOf(this.look)];
    this.#draw();
    const timer = setInterval(() => document.hidden || this.#again(), this.everyMs ?? NEVER_MS);
    this.#ends = [() => clearInterval(timer), onConnected((connected) => this.#connect(connected))];
  }

  disconnectedCallback(): void {
    clearTimeout(this.#next);
    for (const end of this.#ends) end();
    this.#leave();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) this.#draw();
  }

  /** Reads the account again, for a page that knows of a change first. */
  async refresh(): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#reading += 1;
    const reading = this.#reading;
    try {
      const data = await this.load(connection);
      // A later read has the newer state.
      if (reading !== this.#reading) return;
      this.#data = data;
      this.#refusal = undefined;
      this.#isStale = false;
    } catch (error) {
      if (reading !== this.#reading) return;
      if (error instanceof Unreachable) {
        this.#isStale = true;
        this.#refreshIn(RETRY_MS);
        return;
      }
      if (!(error instanceof Refused)) throw error;
      this.#refusal = error;
      console.error(`<${this.localName}>`, error);
    } finally {
      this.#draw();
    }
  }

  /** The connection of the page; undefined before `connect`. */
  protected get connection(): Connection | undefined {
    return this.#connection;
  }

  /** Shows the present state again. */
  protected redraw(): void {
    this.#draw();
  }

  #connect({ connection, texts }: Connected): void {
    if (this.#connection !== connection) {
      this.#data = undefined;
      this.#refusal = undefined;
      this.forget();
    }
    this.#connection = connection;
    this.#texts = texts;
    this.#leave();
    this.#leave = connection.watch({
      changed: (kind) => {
        if (kind === undefined || this.kinds.includes(kind)) this.#refreshIn(TOGETHER_MS);
      },
      reached: (isOnline) => {
        if (isOnline && this.#isStale) this.#refreshIn(TOGETHER_MS);
        this.#draw();
      },
    });
    this.#draw();
    void this.refresh();
  }

  #refreshIn(milliseconds: number): void {
    clearTimeout(this.#next);
    this.#next = setTimeout(() => this.#again(), milliseconds);
  }

  /** Reads again, unless there is no network: the stream looks for it, and the widget is read again when it is back. */
  #again(): void {
    if (this.#connection?.isCut !== true) void this.refresh();
  }

  #draw(): void {
    if (this.shadowRoot === null) return;
    const words = new Words(this.#language(), this.#texts);
    const data = this.#data;
    const { language: lang, direction: dir } = words;
    const isWaiting = data === undefined && this.#refusal === undefined;
    const title = h('h3', { id: 'title', part: 'title' }, words.text(this.heading));
    draw(this.shadowRoot, [
      h(
        'section',
        { part: 'card', lang, dir, 'aria-labelledby': 'title', 'aria-busy': isWaiting ? 'true' : undefined },
        h('header', { part: 'header' }, title, data === undefined ? undefined : this.aside(data, words)),
        h(
          'div',
          { part: 'content' },
          ...(data === undefined ? [isWaiting && h('div', { class: 'skeleton' })] : this.view(data, words)),
        ),
        h('p', { part: 'status', class: 'status', role: 'status' }, this.#status(words)),
      ),
    ]);
  }

  #status(words: Words): string {
    if (this.#refusal !== undefined) return words.text('refused');
    if (this.#connection === undefined || this.#connection.isOnline) return '';
    return words.text(this.#data === undefined ? 'waiting' : 'offline');
  }

  /** The language of the element, of the nearest element around it that has one, or of the visitor. */
  #language(): string {
    const around = this.closest<HTMLElement>('[lang]:not([lang=""])');
    return around?.lang ?? navigator.language;
  }
}

function sheetOf(css: string): CSSStyleSheet {
  let sheet = sheets.get(css);
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    sheets.set(css, sheet);
  }
  return sheet;
}
