import { create } from '@bufbuild/protobuf';
import { describe, expect, test } from 'vitest';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import { EmitTriggerRequestSchema } from '../../../gen/laurel/v1/trigger_service_pb.ts';
import { RedeemPublicationRequestSchema } from '../../../gen/laurel/v1/marketplace_service_pb.ts';
import { askedThings } from '../../../src/refused-calls/asked-things.ts';
import { fieldOf, maskedMessage, unreadMessage } from '../../../src/refused-calls/masked-message.ts';

describe('a message of the log', () => {
  test.each([
    [
      "There is no account with the externalId 'ann@example.com'.",
      ['ann@example.com'],
      "There is no account with the externalId '…'.",
    ],
    ['The e-mail ANN@example.com is taken.', ['Ann@Example.com'], 'The e-mail … is taken.'],
    ["The code 'ab' is unknown to a bad lab.", ['ab'], "The code '…' is unknown to a bad lab."],
    ['labels["ann@example.com"] is too long.', [], 'labels["…"] is too long.'],
    [`It begins with ${'x'.repeat(60)}... and is too long.`, ['x'.repeat(2_000)], 'It begins with … and is too long.'],
    ["An a.b is not '(a+)+$'.", ['(a+)+$', 'a.b'], "An a.b is not '…'."],
  ])('has no text of the call: %s', (message, texts, shown) => {
    expect(maskedMessage(message, texts)).toBe(shown);
  });

  test.each([
    ['amount must be a number, not "ann".', 'amount must be a number, not what was sent.', 'amount'],
    [
      'missions[0].target must be an integer, not an object.',
      'missions[0].target must be an integer, not an object.',
      'missions[0].target',
    ],
    ['"nmae" is not a field here. Send only name.', '"nmae" is not a field here. Send only name.', 'nmae'],
    ['In the path, "id" must be a UUID, not "ann".', 'In the path, "id" must be a UUID, not what was sent.', undefined],
    ['The body is "text/ann". Send JSON.', 'The body is "…". Send JSON.', undefined],
    [
      `The body is not valid JSON: Unexpected token 'a', "ann" is not valid JSON.`,
      'The body is not valid JSON.',
      undefined,
    ],
  ])('has no value of a request that cannot be read: %s', (message, shown, field) => {
    expect(unreadMessage(message)).toBe(shown);
    expect(fieldOf(message)).toBe(field);
  });
});

describe('of a call the log keeps', () => {
  test('the account, the code and the operation id of an event, and no other text', () => {
    const request = create(EmitTriggerRequestSchema, {
      trigger: {
        programmaticCode: 'ORDER',
        accountId: 'ann',
        idType: Account_IdType.EXTERNAL,
        operationId: 'order-1',
        metadata: { card: '4711' },
      },
    });
    expect(askedThings({ input: EmitTriggerRequestSchema, request })).toEqual({
      account: { externalId: 'ann' },
      programmaticCode: 'ORDER',
      operationId: 'order-1',
      texts: ['ann', '4711'],
    });
  });

  test('the publication and the account of a purchase', () => {
    const [id, accountId] = [crypto.randomUUID(), crypto.randomUUID()];
    const request = create(RedeemPublicationRequestSchema, { id, accountId });
    expect(askedThings({ input: RedeemPublicationRequestSchema, request })).toEqual({
      account: { id: accountId },
      resourceId: id,
      texts: [],
    });
  });
});
