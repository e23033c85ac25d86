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

/** Whether values and moments have pg's own forms; else those of the driver, and only its writes are left out. */
const isPgAlone = new URL(import.meta.url).search === '?documented';

/** In the place of the driver's: by what pg documents, and without what it does not. Bytes that have arrived cannot be told. */
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
