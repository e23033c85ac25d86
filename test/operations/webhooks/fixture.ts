import { systemClock } from '../../../src/kernel/time/clock.ts';
import { randomBytes } from 'node:crypto';
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { pino } from 'pino';
import { expect } from 'vitest';
import {
  type WebhookConfiguration,
  WebhookConfigurationSchema,
  WebhookSettingsSchema,
} from '../../../gen/laurel/v1/webhook_pb.ts';
import { type Call, internalCall } from '../../../src/clients/call.ts';
import { createSecretBox } from '../../../src/kernel/secrets/secret-box.ts';
import type { Database } from '../../../src/persistence/database.ts';
import {
  createDispatcher,
  type Dispatcher,
  type DispatcherOptions,
} from '../../../src/webhooks/delivery/dispatcher.ts';
import { kindOf } from '../../../src/webhooks/changes/change-kind.ts';
import { enqueueWebhooks } from '../../../src/webhooks/outbox/enqueue-webhooks.ts';
import { putWebhook } from '../../../src/webhooks/configuration/put-webhook.ts';
import { createWebhookSender } from '../../../src/webhooks/delivery/webhook-sender.ts';
import type { WebhookType } from '../../../src/webhooks/configuration/webhook-type.ts';
import type { WebhooksOptions } from '../../../src/webhooks/configuration/webhooks-options.ts';
import { newClient } from '../../support/database.ts';
import { type Answer, type Receiver, startReceiver } from './receiver.ts';

type Settings = MessageInitShape<typeof WebhookSettingsSchema>;

/** A row of the delivery log. */
export type DeliveryRow = {
  message_id: string;
  attempt: number;
  method: string;
  target: string;
  body: string | null;
  duration_ms: number;
  outcome: string;
  status_code: number | null;
  error: string | null;
  response_excerpt: string | null;
  /** The consequence of a failed attempt. */
  retry: string | null;
  retry_at: Date | null;
};

/** The webhooks with the service's wiring; they may call loopback, and their log is kept. */
export function openWebhooks(
  db: Database,
  secretKeys: Buffer[] = [randomBytes(32)],
  allowPrivate = true,
  requireTls = false,
) {
  const log: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void log.push(line) });
  const secrets = createSecretBox(secretKeys);
  const options: WebhooksOptions = {
    secrets,
    sender: createWebhookSender({ secrets, allowPrivate, requireTls, clock: systemClock }),
    allowPrivate,
    requireTls,
    logger,
  };
  const dispatchers: Dispatcher[] = [];
  const receivers: Receiver[] = [];

  async function put(
    clientId: string,
    settings: Settings,
    type: WebhookType = 'REWARDS',
  ): Promise<WebhookConfiguration> {
    const { configuration } = await putWebhook(
      callOf(db, clientId),
      type,
      create(WebhookSettingsSchema, settings),
      options,
    );
    return create(WebhookConfigurationSchema, configuration);
  }

  function dispatch(own: Partial<DispatcherOptions> = {}): Dispatcher {
    const dispatcher = createDispatcher({ db, sender: options.sender, logger, pollMs: 25, ...own });
    dispatchers.push(dispatcher);
    dispatcher.start();
    return dispatcher;
  }

  return {
    ...options,
    db,
    log,
    put,
    /** Another started dispatcher on the same database. It looks often, so that tests do not wait. */
    dispatch,
    /** A client whose rewards webhook leads to a receiver: a new one with the given answer, or an existing one. */
    async configured(settings: Settings = {}, answer?: Answer, path = '/hook', shared?: Receiver) {
      const receiver = shared ?? (await startReceiver(answer));
      if (shared === undefined) receivers.push(receiver);
      const clientId = await newClient(db);
      await put(clientId, { ...settings, endpoint: receiver.url + path });
      return { clientId, receiver };
    },
    /** Sends bodies and waits until each has its outcome, so that no further message can be sent. Returns the messages' ids. */
    async send(clientId: string, bodies: readonly string[]): Promise<string[]> {
      const messages = await enqueue(db, clientId, bodies);
      dispatch().wake(clientId, messages);
      await expect.poll(() => waitingOf(db, clientId), { timeout: 10_000 }).toBe(0);
      return messages.map(({ id }) => id);
    },
    /** For `afterEach`. The receivers close first: a request that hangs would block the end of its dispatcher for 5 seconds. */
    async stop() {
      await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
      await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.stop()));
    },
  };
}

export type Webhooks = ReturnType<typeof openWebhooks>;

/** A call by the administrator of a client. */
export function callOf(db: Database, clientId: string): Call {
  return internalCall(db, { clientId, credentialId: clientId, role: 'CLIENT_ADMIN' }, systemClock);
}

/** Enqueues bodies in one transaction, and returns the messages. */
export function enqueue(db: Database, clientId: string, bodies: readonly string[], type: WebhookType = 'REWARDS') {
  return db.unitOfWork(clientId, (uow) =>
    enqueueWebhooks(
      uow,
      bodies.map((json) => ({ kind: kindOf(type), json })),
    ),
  );
}

/** The log of a client, oldest first. */
export function deliveriesOf(db: Database, clientId: string): Promise<DeliveryRow[]> {
  return db.unitOfWork(clientId, (uow) => uow.query<DeliveryRow>('select * from webhook_delivery order by id'));
}

/** The number of messages without an outcome. */
export async function waitingOf(db: Database, clientId: string): Promise<number> {
  const rows = await db.unitOfWork(clientId, (uow) => uow.query('select 1 from outbox_message'));
  return rows.length;
}
