/** A JSON Schema as OpenAPI 3.1 uses it. */
export type JsonSchema = { [keyword: string]: unknown };

/** A reference to a part under `components`. */
export type Ref = { $ref: string };

/** The parts of an OpenAPI document that several of our files build. */
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: true;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
};

export type MediaType = { schema: JsonSchema; examples?: { [name: string]: Ref } };

export type Response = {
  description: string;
  headers?: { [name: string]: Ref };
  content?: { [mediaType: string]: MediaType };
};
