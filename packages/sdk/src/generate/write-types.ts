import { type OpenApiDocument, referenceOf, resolve, SCHEMA_REFERENCE, type Schema } from './openapi.ts';

/** The type of an integer or a string of a schema, by the name that JSON Schema gives it. */
const PRIMITIVES: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'number',
  null: 'null',
  number: 'number',
  string: 'string',
};

/** Characters of text that would end a comment, or make it a tag of the documentation. */
const END_OF_COMMENT = /\*\//g;

/**
 * Writes a schema as a type of TypeScript. 64-bit integers are numbers, as in the JSON of the API.
 *
 * @param indent the indentation of the line that the type begins in
 */
export function writeType(schema: Schema, indent = ''): string {
  const name = referenceOf(schema);
  if (name !== undefined) return typeName(name);
  if (schema.enum !== undefined)
    return schema.enum.map((one) => (one === null ? 'null' : literal(one))).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => writeType(one, indent)).join(' | ');
  if (schema.type === undefined) return 'unknown';
  const kinds = typeof schema.type === 'string' ? [schema.type] : schema.type;
  return kinds.map((kind) => writeKind(kind, schema, indent)).join(' | ');
}

function writeKind(kind: string, schema: Schema, indent: string): string {
  if (kind === 'array') return `readonly ${inArray(writeType(schema.items ?? {}, indent))}[]`;
  if (kind === 'string' && schema.format === 'binary') return 'RequestBody';
  if (kind !== 'object') return PRIMITIVES[kind] ?? 'unknown';
  if (Object.keys(schema.properties ?? {}).length > 0)
    return `{\n${writeFields(schema, `${indent}  `)}${indent}}`;
  const values = schema.additionalProperties;
  const type = typeof values === 'object' ? writeType(values, indent) : 'unknown';
  return `{ readonly [key: string]: ${type} }`;
}

/** Writes the fields of an object, one line each, with their comments. */
export function writeFields(
  { properties = {}, required = [] }: Pick<Schema, 'properties' | 'required'>,
  indent: string,
): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const optional = required.includes(name) ? '' : '?';
      return `${writeComment(schema.description, indent)}${indent}readonly ${key(name)}${optional}: ${writeType(schema, indent)};\n`;
    })
    .join('');
}

/** Writes a doc comment with its line break; nothing for an empty text. */
export function writeComment(text: string | undefined, indent: string): string {
  if (!text) return '';
  const lines = text.replace(END_OF_COMMENT, '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/** Writes the name of a field or a method, quoted where the language requires it. */
export function key(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name);
}

/** Writes a text or a number as a literal, texts with single quotes. */
export function literal(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Returns the names of the schemas that a schema mentions itself. */
export function mentionedIn(schema: Schema): readonly string[] {
  const name = referenceOf(schema);
  if (name !== undefined) return [name];
  const values = schema.additionalProperties;
  return [
    ...(schema.anyOf ?? []),
    ...Object.values(schema.properties ?? {}),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof values === 'object' ? [values] : []),
  ].flatMap(mentionedIn);
}

/** Returns the names of all schemas that the given ones need, in the order of the document. */
export function schemasOf(schemas: readonly Schema[], document: OpenApiDocument): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    mentionedIn(resolve({ $ref: `${SCHEMA_REFERENCE}${name}` }, document)).forEach(visit);
  };
  schemas.flatMap(mentionedIn).forEach(visit);
  return Object.keys(document.components.schemas).filter((name) => found.has(name));
}

/** Returns the name of the type of a schema. */
export function typeName(schema: string): string {
  return schema.replace(/\W/g, '');
}

function inArray(type: string): string {
  return type.includes(' ') && !type.startsWith('{') ? `(${type})` : type;
}
