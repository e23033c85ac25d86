/** The received messages of one statement: everything up to a Query, or up to and with a Sync. */
export type SentStatement = {
  /** The codes of its messages: `Q` for a text alone; `PBDES` for a parsed and executed one, `BDES` for an executed one. */
  readonly messages: string;
  /** The text of a Query or a Parse. */
  readonly text: string | undefined;
  /** The executed prepared statement; empty without a name. */
  readonly name: string | undefined;
  /** The number of parameter types in a Parse. */
  readonly declaredTypes: number | undefined;
  /** Parameters as bytes, and whether each is in the binary form. */
  readonly values: readonly (Buffer | null)[];
  readonly binary: readonly boolean[];
};

/** Reads a client's messages, in pieces as they arrive. */
export type FrontendReader = {
  /** The settings of the start message, undefined before it. */
  readonly startup: Readonly<Record<string, string>> | undefined;
  readonly statements: readonly SentStatement[];
  /** Whether the client has terminated. */
  readonly hasTerminated: boolean;
  read(chunk: Buffer): void;
};

/** Begins before the start message of a connection. */
export function frontendReader(): FrontendReader {
  let unread = Buffer.alloc(0);
  let startup: Record<string, string> | undefined;
  let hasTerminated = false;
  let present = begun();
  const statements: SentStatement[] = [];

  /** The length of the first message with its code, or undefined if it has not arrived completely. */
  function whole(): number | undefined {
    const codeLength = startup === undefined ? 0 : 1;
    if (unread.length < codeLength + 4) return undefined;
    const length = codeLength + unread.readInt32BE(codeLength);
    return unread.length < length ? undefined : length;
  }

  function take(message: Buffer): void {
    if (startup === undefined) {
      const words = message.toString('utf8', 8).split('\0');
      startup = Object.fromEntries(words.flatMap((word, n) => (n % 2 === 0 && word ? [[word, words[n + 1]!]] : [])));
      return;
    }
    const code = String.fromCharCode(message[0]!);
    const body = message.subarray(5);
    if (code === 'X') hasTerminated = true;
    else present = { ...present, messages: present.messages + code, ...PARTS[code]?.(body) };
    if (code !== 'Q' && code !== 'S') return;
    statements.push(present);
    present = begun();
  }

  return {
    get startup() {
      return startup;
    },
    statements,
    get hasTerminated() {
      return hasTerminated;
    },
    read(chunk) {
      unread = Buffer.concat([unread, chunk]);
      for (let length = whole(); length !== undefined; length = whole()) {
        take(unread.subarray(0, length));
        unread = unread.subarray(length);
      }
    },
  };
}

function begun(): SentStatement {
  return { messages: '', text: undefined, name: undefined, declaredTypes: undefined, values: [], binary: [] };
}

/** The parts that are read of the messages with content. */
const PARTS: Readonly<Record<string, (body: Buffer) => Partial<SentStatement>>> = {
  Q: (body) => ({ text: cString(body, 0) }),
  P(body) {
    const name = cString(body, 0);
    const text = cString(body, Buffer.byteLength(name) + 1);
    const at = Buffer.byteLength(name) + Buffer.byteLength(text) + 2;
    return { text, declaredTypes: body.readInt16BE(at) };
  },
  B(body) {
    const portal = cString(body, 0);
    const name = cString(body, Buffer.byteLength(portal) + 1);
    let at = Buffer.byteLength(portal) + Buffer.byteLength(name) + 2;
    const int16 = () => body.readInt16BE((at += 2) - 2);
    const int32 = () => body.readInt32BE((at += 4) - 4);
    const binary = Array.from({ length: int16() }, () => int16() === 1);
    const values = Array.from({ length: int16() }, () => {
      const length = int32();
      return length === -1 ? null : body.subarray(at, (at += length));
    });
    return { name, binary, values };
  },
};

function cString(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start));
}
