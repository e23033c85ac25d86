import { parsedTypes } from './answer-types.ts';
import { arrayParameter } from './array-parameter.ts';
import { bytesReceived, type Client, streamOf } from './client.ts';
import type { Statement, StatementResult, Traffic } from './statement.ts';
import { statementName } from './statement-name.ts';
import { createWriteCoalescer } from './write-coalescer.ts';

/**
 * The statements of one client. Each is sent without a wait for earlier answers; they run in the order of sending. A failed one throws
 * PostgreSQL's error, and later ones still run. If the connection is lost, all unanswered statements throw.
 */
export type StatementConnection = {
  /** Sends one statement. @throws UnreadableMoment for a moment in an unknown format */
  send<Row extends object>(statement: Statement): Promise<StatementResult<Row>>;
  /** Sends a text of one or several statements, without values. @returns a result for each */
  sendSeveral<Row extends object>(
    statement: Pick<Statement, 'text' | 'momentsAs'>,
  ): Promise<readonly StatementResult<Row>[]>;
  readonly traffic: Traffic;
};

export type StatementConnectionOptions = {
  /** False: `isPrepared` has no effect. */
  readonly preparedStatements: boolean;
  /** Whether new statements wait until all sent ones are answered; otherwise they leave when this process next waits. */
  readonly awaitsAnswers: () => boolean;
};

/**
 * The maximum of prepared statements per connection; further ones are sent unprepared. A statement costs PostgreSQL some 20 KB in each
 * connection, and this service has far fewer: the bound is for code that builds SQL text from input.
 */
const PREPARED_MAX = 500;

/** The statements of a client of a `clientPool`. A client has one object for its lifetime, because that knows the prepared statements. */
export function statementsOn(
  client: Client,
  { preparedStatements, awaitsAnswers }: StatementConnectionOptions,
): StatementConnection {
  const names = new Map<string, string>();
  let sent = 0;
  let answered = 0;
  const { beforeStatement, afterAnswer } = createWriteCoalescer(streamOf(client), awaitsAnswers);

  function nameOf(text: string): string | undefined {
    if (!preparedStatements) return undefined;
    const known = names.get(text);
    if (known !== undefined || names.size >= PREPARED_MAX) return known;
    const name = statementName(text);
    names.set(text, name);
    return name;
  }

  function onAnswer(): void {
    answered += 1;
    afterAnswer();
  }

  function send(statement: Statement): Promise<unknown> {
    const { text, values, isPrepared, momentsAs } = statement;
    beforeStatement();
    sent += 1;
    const answer: Promise<unknown> = client.query({
      name: isPrepared ? nameOf(text) : undefined,
      text,
      values: values?.map(parameterOf),
      types: momentsAs === 'Date' ? parsedTypes : undefined,
    });
    answer.then(onAnswer, onAnswer);
    return answer;
  }

  return {
    send: (statement) => send(statement) as Promise<StatementResult<never>>,
    async sendSeveral<Row extends object>(statement: Statement) {
      // Several statements return an array of results, which the types lack.
      return [await send(statement)].flat() as StatementResult<Row>[];
    },
    get traffic() {
      return { sent, answered, received: bytesReceived(client) };
    },
  };
}

/** pg converts an array when it writes it, so that the converted form is not kept until the answer. */
function parameterOf(value: unknown): unknown {
  return Array.isArray(value) ? { toPostgres: () => arrayParameter(value) ?? value } : value;
}
