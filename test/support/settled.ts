import { setTimeout as sleep } from 'node:timers/promises';
import type { RestAnswer } from './service.ts';

/** The answer of a call, which is repeated while another call uses its account or its operation id. */
export async function settled(call: () => Promise<RestAnswer>): Promise<RestAnswer> {
  for (;;) {
    const answer = await call();
    if (!['OPERATION_IN_PROGRESS', 'DATABASE_BUSY'].includes(answer.body?.code)) return answer;
    await sleep(5);
  }
}
