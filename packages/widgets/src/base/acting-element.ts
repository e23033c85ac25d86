import { Attempts, isRefusal } from './attempts.ts';
import { focusResult } from './button.ts';
import { LaurelElement } from './element.ts';
import type { Words } from './words.ts';

/** One action of the account, at the press of a button. */
export type Action<Answer> = {
  /** The id of the thing that it changes. */
  readonly id: string;
  readonly path: string;
  /** The words about its answer. */
  readonly inWords: (answer: Answer) => string;
};

/** A widget with buttons: one action at a time, under an operation id that is kept while there is no answer. */
export abstract class ActingElement<Data> extends LaurelElement<Data> {
  /** The words about the last action. */
  protected result = '';
  /** The id of the action without an answer yet. */
  protected acting: string | undefined;
  /** The id of the last action, if its answer was lost. */
  protected unanswered: string | undefined;
  readonly #attempts = new Attempts();

  protected override forget(): void {
    this.result = '';
    this.acting = undefined;
    this.unanswered = undefined;
    this.#attempts.clear();
  }

  /** Sends an action, unless another one is on its way, and shows the result. */
  protected async act<Answer>({ id, path, inWords }: Action<Answer>, words: Words): Promise<void> {
    const { connection } = this;
    if (connection === undefined || this.acting !== undefined) return;
    const operationId = this.#attempts.idOf(id);
    this.acting = id;
    this.redraw();
    const [result, isOver] = await connection
      .write<Answer>(path, { operationId })
      .then((answer) => [inWords(answer), true] as const)
      .catch((error: unknown) =>
        isRefusal(error) ? ([words.text('impossible'), true] as const) : ([words.text('later'), false] as const),
      );
    // The page has another account by now, who does not learn of this one.
    if (this.connection !== connection) return;
    if (isOver) this.#attempts.done(id);
    this.unanswered = isOver ? undefined : id;
    this.result = result;
    if (isOver) await this.refresh();
    if (this.connection !== connection) return;
    this.acting = undefined;
    this.redraw();
    focusResult(this.shadowRoot);
  }
}
