import type { JsonSchema, MediaType, Ref, Response } from './openapi-types.ts';

/** Examples and responses that operations share under `components`. */
export type Components = {
  /**
   * JSON of a schema with an example.
   * @param name the name of the example, unless another value has it
   */
  json(schema: JsonSchema, name: string, example: unknown): { [mediaType: string]: MediaType };
  /** JSON of a schema with named examples that exist already. */
  jsonNamed(schema: JsonSchema, names: readonly string[]): { [mediaType: string]: MediaType };
  /** Adds an example under a name. */
  example(name: string, value: unknown, summary?: string): void;
  response(name: string, response: Response): Ref;
  examples(): Record<string, object>;
  responses(): Record<string, Response>;
};

/** Creates empty components. */
export function createComponents(): Components {
  const examples = new Map<string, { readonly summary?: string; readonly value: unknown }>();
  const responses = new Map<string, Response>();
  const mediaType = (schema: JsonSchema, names: readonly string[]) => ({
    'application/json': {
      schema,
      examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
    },
  });
  const free = (name: string, value: unknown): string => {
    const text = JSON.stringify(value);
    const candidates = [name, ...Array.from({ length: 100 }, (_, index) => `${name}${index + 2}`)];
    const found = candidates.find((each) => !examples.has(each) || JSON.stringify(examples.get(each)?.value) === text);
    if (found === undefined) throw new Error(`Too many examples are called ${name}.`);
    return found;
  };
  return {
    json(schema, name, value) {
      const own = free(name, value);
      examples.set(own, { value });
      return mediaType(schema, [own]);
    },
    jsonNamed: mediaType,
    example: (name, value, summary) => examples.set(name, summary === undefined ? { value } : { summary, value }),
    response(name, response) {
      responses.set(name, response);
      return { $ref: `#/components/responses/${name}` };
    },
    examples: () => sorted(examples),
    responses: () => sorted(responses),
  };
}

function sorted<Value>(entries: ReadonlyMap<string, Value>): Record<string, Value> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
}
