import pg from 'pg';
import { parsedTypes } from '../../src/persistence/driver/answer-types.ts';
import { arrayParameter } from '../../src/persistence/driver/array-parameter.ts';
import type { Client } from '../../src/persistence/driver/client.ts';
import type { Statement, StatementResult } from '../../src/persistence/driver/statement.ts';
import type {
  StatementConnection,
  StatementConnectionOptions,
} from '../../src/persistence/driver/statement-connection.ts';
import { statementName } from '../../src/persistence/driver/statement-name.ts';

/** Whether values and times have pg's own forms; otherwise the driver's forms, without its own writes. */
const isPgAlone = new URL(import.meta.url).search === '?documented';

/** Replaces the driver's statements by documented calls of pg. The number of received bytes is not available then. */
export function statementsOn(client: Client, { preparedStatements }: StatementConnectionOptions): StatementConnection {
  let sent = 0;
  let answered = 0;
  const heed = () => (answered += 1);

  function send({ text, values, isPrepared, momentsAs }: Statement): Promise<unknown> {
    sent += 1;
    const answer: Promise<unknown> = client.query({
      name: isPrepared && preparedStatements ? statementName(text) : undefined,
      text,
      values: values?.map(parameterOf),
      types: momentsAs === 'Date' ? (isPgAlone ? pg.types : parsedTypes) : undefined,
    });
    answer.then(heed, heed);
    return answer;
  }

  return {
    send: (statement) => send(statement) as Promise<StatementResult<never>>,
    async sendSeveral<Row extends object>(statement: Statement) {
      return [await send(statement)].flat() as StatementResult<Row>[];
    },
    get traffic() {
      return { sent, answered, received: 0 };
    },
  };
}

function parameterOf(value: unknown): unknown {
  return Array.isArray(value) && !isPgAlone ? { toPostgres: () => arrayParameter(value) ?? value } : value;
}
