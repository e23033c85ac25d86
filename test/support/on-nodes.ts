/** Whether the tests run on several nodes: a call takes ten times as long there, and a table has no triggers. */
export const onNodes = process.env['LAUREL_TEST_DISTRIBUTED'] !== undefined;
