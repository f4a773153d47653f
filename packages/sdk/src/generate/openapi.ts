/** The part of a JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number | null)[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** An operation as the document describes it. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly 'x-list'?: ListOfOperation;
  readonly 'x-planned'?: boolean;
  readonly responses: Readonly<
    Record<string, { readonly content?: Content; readonly 'x-errcodes'?: readonly string[] }>
  >;
}

/** What an operation declares of the list that it answers with. */
export interface ListOfOperation {
  readonly items?: string;
  readonly from?: string;
  readonly next?: string;
  readonly variants?: readonly {
    readonly parameter: string;
    readonly value: string;
    readonly items: string;
  }[];
}

/** The part of an OpenAPI document from which the client is generated. */
export interface OpenApiDocument {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What a reference to a schema begins with. */
export const SCHEMA_REFERENCE = '#/components/schemas/';

/** Returns the name of the schema that a reference names, or undefined if the schema is not a reference. */
export function referenceOf(schema: Schema): string | undefined {
  return schema.$ref?.startsWith(SCHEMA_REFERENCE) ? schema.$ref.slice(SCHEMA_REFERENCE.length) : undefined;
}

/** Returns the schema itself, or the one that it refers to. */
export function resolve(schema: Schema, document: OpenApiDocument): Schema {
  const name = referenceOf(schema);
  if (name === undefined) return schema;
  const target = document.components.schemas[name];
  if (target === undefined) throw new Error(`there is no schema ${name}`);
  return target;
}
