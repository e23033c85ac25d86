import Fastify, { type FastifyRequest } from 'fastify';
import { missions, type Trigger, type TriggerAnswer } from './event.ts';

/** The options of a peer. */
export type PeerOptions = {
  readonly databaseUrl: string;
  /** The accepted key. */
  readonly apiKey: string;
};

/** Applies one event in one transaction. Returns undefined for an unknown account. */
export type ApplyEvent = (trigger: Trigger) => Promise<TriggerAnswer | undefined>;

const UUID = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';

const bodySchema = {
  type: 'object',
  required: ['programmaticCode', 'accountId', 'operationId'],
  additionalProperties: false,
  properties: {
    programmaticCode: { type: 'string', minLength: 1, maxLength: 100 },
    accountId: { type: 'string', pattern: UUID },
    operationId: { type: 'string', minLength: 1, maxLength: 255 },
    metadata: { type: 'object', properties: { amount: { type: 'number', exclusiveMinimum: 0 } } },
  },
} as const;

/** With a schema Fastify writes JSON twice as fast as `JSON.stringify`. */
const answerSchema = {
  type: 'object',
  properties: {
    progressedMissions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          missionId: { type: 'string' },
          name: { type: 'string' },
          previousProgress: { type: 'integer' },
          progress: { type: 'integer' },
          target: { type: 'integer' },
          status: { type: 'string' },
        },
      },
    },
    rewards: { type: 'array', items: {} },
  },
} as const;

/** The peer's options, from its environment. */
export function peerOptions(): PeerOptions {
  return { databaseUrl: process.env['DATABASE_URL'] ?? '', apiKey: process.env['API_KEY'] ?? '' };
}

/** Serves the event over REST until it is killed: it checks key, body and code, and logs one line per call. */
export async function serve({ apiKey }: PeerOptions, applyEvent: ApplyEvent): Promise<void> {
  const clientsByKey = new Map([[apiKey, 'benchmark']]);
  const app = Fastify({ logger: true, disableRequestLogging: true });
  app.addHook('onRequest', async (request, reply) => {
    const key = request.headers.authorization?.replace(/^Bearer /, '');
    if (key === undefined || !clientsByKey.has(key)) await reply.code(401).send({ statusCode: 401 });
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method, url } = request.routeOptions;
    request.log.info({ method, url, status: reply.statusCode, ms: reply.elapsedTime }, 'answered');
  });
  const schema = { body: bodySchema, response: { 200: answerSchema } };
  app.post('/gamification/triggers', { schema }, async (request: FastifyRequest<{ Body: Trigger }>, reply) => {
    if (!missions.has(request.body.programmaticCode)) return reply.code(404).send({ statusCode: 404 });
    const answer = await applyEvent(request.body);
    return answer ?? reply.code(404).send({ statusCode: 404 });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  app.log.info(app.server.address(), 'serves');
}
