import { expect } from 'vitest';
import { type Game, newGame } from '../../support/game.ts';
import type { TestService } from '../../support/service.ts';

let codes = 0;

/** A campaign that one event with a new code closes. */
export async function oneStep(
  service: TestService,
  options: Parameters<typeof newGame>[1] = {},
): Promise<Game & { code: string }> {
  codes += 1;
  const code = `STEP_${codes}`;
  const missions = [{ programmaticCode: code }];
  return { code, ...(await newGame(service, { codes: { [code]: 'SINGLE' }, missions, ...options })) };
}

/** Resolves once no webhook of the client waits or is being sent: no further one can follow. */
export async function nothingWaits(service: TestService): Promise<void> {
  const waiting = () =>
    service.db.unitOfWork(service.clientId, (uow) =>
      uow.query('select 1 from outbox_message where client_id = $1', [uow.clientId]),
    );
  await expect.poll(waiting, { timeout: 10_000, interval: 20 }).toEqual([]);
}
