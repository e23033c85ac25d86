// The event with Fastify and MikroORM: entities loaded, changed and flushed, one transaction per event.
import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Assignment, Message, Operation } from './entities.ts';
import { missions, progressed, type Trigger, type TriggerAnswer } from './event.ts';
import { peerOptions, serve } from './serve.ts';

/** The same size as the service's pool. */
const POOL_MAX = 16;

const options = peerOptions();
const orm = await MikroORM.init({
  clientUrl: options.databaseUrl,
  entities: [Assignment, Operation, Message],
  ensureDatabase: false,
  pool: { min: POOL_MAX, max: POOL_MAX },
});
await serve(options, applyEvent);

async function applyEvent(trigger: Trigger): Promise<TriggerAnswer | undefined> {
  try {
    return await orm.em.fork().transactional((em) => apply(em, trigger));
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    const done = await orm.em.fork().findOneOrFail(Operation, trigger.operationId);
    return done.response;
  }
}

async function apply(em: EntityManager, trigger: Trigger): Promise<TriggerAnswer | undefined> {
  const mission = missions.get(trigger.programmaticCode)!;
  const key = { accountId: trigger.accountId, missionId: mission.id };
  const assignment = await em.findOne(Assignment, key, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (assignment === null) return undefined;
  const { progress: previousProgress, target } = assignment;
  const after = progressed(assignment, trigger);
  em.assign(assignment, after);
  if (after.status === 'COMPLETED') assignment.completedAt = new Date();
  const moved = { missionId: mission.id, name: mission.name, previousProgress, target, ...after };
  const answer = { progressedMissions: [moved], rewards: [] };
  em.create(Operation, { id: trigger.operationId, accountId: trigger.accountId, response: answer });
  em.create(Message, { accountId: trigger.accountId, body: answer.progressedMissions });
  return answer;
}
