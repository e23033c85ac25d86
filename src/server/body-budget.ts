import { DomainError } from '../kernel/domain-error.ts';

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

/** What the body of one request holds. */
export type BodyShare = {
  /** @throws DomainError `BUSY` if there is no room; then nothing more is held than before */
  hold(bytes: number): void;
  /** Gives back some of it, for a stream that is read on. */
  letGo(bytes: number): void;
  /** The body has arrived. */
  complete(): void;
  /** Gives back all of it. A second call does nothing. */
  release(): void;
};

/** The part of the budget for all requests without a credential together: their bodies are small. */
const PUBLIC_PART = 1 / 8;

/** The part of the budget for one client, so that there is room for another. */
const CLIENT_PART = 1 / 2;

/** @param bytesMax over all requests */
export function createBodyBudget(bytesMax: number): BodyBudget {
  const byClient = new Map<string | undefined, number>();
  /** Without a credential, and still arriving; the oldest first. */
  const arriving = new Set<() => void>();
  let total = 0;

  function add(clientId: string | undefined, bytes: number): void {
    total += bytes;
    const held = (byClient.get(clientId) ?? 0) + bytes;
    if (held === 0) byClient.delete(clientId);
    else byClient.set(clientId, held);
  }

  function hasRoom(clientId: string | undefined, bytes: number): boolean {
    const part = clientId === undefined ? PUBLIC_PART : CLIENT_PART;
    return total + bytes <= bytesMax && (byClient.get(clientId) ?? 0) + bytes <= bytesMax * part;
  }

  return {
    held: () => total,
    open(clientId, giveUp) {
      let held = 0;
      const release = () => {
        arriving.delete(makeRoom);
        add(clientId, -held);
        held = 0;
      };
      const makeRoom = () => {
        release();
        giveUp(tooManyBodies());
      };
      // Whoever sends slowly without a credential must not keep others from signing in.
      if (clientId === undefined) arriving.add(makeRoom);
      return {
        hold(bytes) {
          while (!hasRoom(clientId, bytes)) {
            const [oldest] = clientId === undefined ? arriving : [];
            if (oldest === undefined || oldest === makeRoom) throw tooManyBodies();
            oldest();
          }
          held += bytes;
          add(clientId, bytes);
        },
        letGo(bytes) {
          held -= bytes;
          add(clientId, -bytes);
        },
        complete: () => void arriving.delete(makeRoom),
        release,
      };
    },
  };
}

function tooManyBodies(): DomainError {
  const message = 'The service holds as many request bodies as it has room for. Repeat the call in a second.';
  return new DomainError('unavailable', 'BUSY', message);
}
