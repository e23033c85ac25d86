import { DomainError } from '../../../kernel/errors/domain-error.ts';
import { sentence } from '../../../kernel/sentence.ts';

/** Bytes of request bodies that this process holds, over all requests: while they arrive, and until they are answered. */
export type BodyBudget = {
  /**
   * A share for the body of one request.
   * @param clientId whose request it is; undefined for one without a credential
   * @param giveUp called at most once, for a body that is still arriving, to make room for others; its bytes count no more
   */
  open(clientId: string | undefined, giveUp: (error: DomainError) => void): BodyShare;
  /** Bytes that are held now. */
  held(): number;
};

/** The share of one request's body. */
export type BodyShare = {
  /** @throws DomainError `BUSY` if there is no room; then nothing more is held than before */
  hold(bytes: number): void;
  /** Gives back some of it, for a stream that is read on. */
  shrink(bytes: number): void;
  /** The body has arrived. */
  complete(): void;
  /** Gives back all of it. A second call does nothing. */
  release(): void;
};

/** The part of the budget for all requests without a credential together: their bodies are small. */
const PUBLIC_PART = 1 / 8;

/** The part of the budget for one client, so that others have room. */
const CLIENT_PART = 1 / 2;

/** @param bytesMax over all requests */
export function createBodyBudget(bytesMax: number): BodyBudget {
  const ledger = new Ledger(bytesMax);
  return { held: () => ledger.total, open: (clientId, giveUp) => new Share(ledger, clientId, giveUp) };
}

/** The sum of all shares of a budget. */
class Ledger {
  total = 0;
  /** Without a credential, and still arriving; the oldest first. */
  readonly arriving = new Set<Share>();
  readonly #bytesMax: number;
  readonly #byClient = new Map<string | undefined, number>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(clientId: string | undefined, bytes: number): void {
    this.total += bytes;
    const held = (this.#byClient.get(clientId) ?? 0) + bytes;
    if (held === 0) this.#byClient.delete(clientId);
    else this.#byClient.set(clientId, held);
  }

  hasRoom(clientId: string | undefined, bytes: number): boolean {
    const part = clientId === undefined ? PUBLIC_PART : CLIENT_PART;
    const ofClient = (this.#byClient.get(clientId) ?? 0) + bytes;
    return this.total + bytes <= this.#bytesMax && ofClient <= this.#bytesMax * part;
  }
}

/** A class, because every request with a body opens one: its methods are made once, and not for each. */
class Share implements BodyShare {
  readonly #ledger: Ledger;
  readonly #clientId: string | undefined;
  readonly #giveUp: (error: DomainError) => void;
  #held = 0;

  constructor(ledger: Ledger, clientId: string | undefined, giveUp: (error: DomainError) => void) {
    this.#ledger = ledger;
    this.#clientId = clientId;
    this.#giveUp = giveUp;
    // Anyone who sends slowly without a credential must not keep others from signing in.
    if (clientId === undefined) ledger.arriving.add(this);
  }

  hold(bytes: number): void {
    while (!this.#ledger.hasRoom(this.#clientId, bytes)) {
      const [oldest] = this.#clientId === undefined ? this.#ledger.arriving : [];
      if (oldest === undefined || oldest === this) throw tooManyBodies();
      oldest.#makeRoom();
    }
    this.#add(bytes);
  }

  shrink(bytes: number): void {
    this.#add(-bytes);
  }

  complete(): void {
    if (this.#clientId === undefined) this.#ledger.arriving.delete(this);
  }

  release(): void {
    this.complete();
    if (this.#held !== 0) this.#add(-this.#held);
  }

  #makeRoom(): void {
    this.release();
    this.#giveUp(tooManyBodies());
  }

  #add(bytes: number): void {
    this.#held += bytes;
    this.#ledger.add(this.#clientId, bytes);
  }
}

function tooManyBodies(): DomainError {
  const message = sentence`The service holds as many request bodies as it has room for. Repeat the call in a second.`;
  return new DomainError('BUSY', message);
}
