import type { RestAnswer } from './service.ts';

/**
 * The answer of a call with an operation id that was refused before, repeated as its 409 `OPERATION_IN_PROGRESS` asks for. A busy process may
 * take a call that closely follows a refusal for one that was under way: docs/decisions/0021, "What is left".
 */
export async function whileInProgress(call: () => Promise<RestAnswer>): Promise<RestAnswer> {
  for (;;) {
    const answer = await call();
    if (answer.body.code !== 'OPERATION_IN_PROGRESS') return answer;
  }
}
