import { DomainError } from '../../../kernel/errors/domain-error.ts';
import { sentence } from '../../../kernel/sentence.ts';

/** Bytes of request bodies that this process holds, over all requests: while they arrive, and until they are answered. */
export type BodyBudget = {
  /**
   * Opens a share for the body of one request.
   * @param clientId the client of the request; undefined without a credential
   * @param giveUp called at most once, to make room for others by dropping a body that is still arriving; its bytes no longer count
   */
  open(clientId: string | undefined, giveUp: (error: DomainError) => void): BodyShare;
  /** The bytes held now. */
  held(): number;
};

/** The share of one request's body. */
export type BodyShare = {
  /** @throws DomainError `BUSY` without room; then the share is unchanged */
  hold(bytes: number): void;
  /** Releases a part of the share, for a stream that continues. */
  shrink(bytes: number): void;
  /** Call it when the body has arrived. */
  complete(): void;
  /** Releases the whole share. A second call does nothing. */
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
  /** Shares of bodies without a credential that are still arriving, the oldest first. */
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

/** A class, so that its methods are created once and not for every request. */
class Share implements BodyShare {
  readonly #ledger: Ledger;
  readonly #clientId: string | undefined;
  readonly #giveUp: (error: DomainError) => void;
  #held = 0;

  constructor(ledger: Ledger, clientId: string | undefined, giveUp: (error: DomainError) => void) {
    this.#ledger = ledger;
    this.#clientId = clientId;
    this.#giveUp = giveUp;
    // A slow sender without a credential must not keep others from signing in.
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
