/** A JSON Schema as OpenAPI 3.1 uses it. */
export type JsonSchema = { [keyword: string]: unknown };

/** The few parts of an OpenAPI document that more than one of our files builds. */
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: true;
  description?: string;
  schema: JsonSchema;
};

export type Response = {
  description: string;
  content?: { [mediaType: string]: { schema: JsonSchema } };
};
