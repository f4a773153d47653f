import { type OpenApiDocument, referenceOf, resolve, type Schema } from './openapi.ts';
import { ADMIN_PREFIX, type Operation, RAW_BODY, readOperations } from './read-operations.ts';
import {
  key,
  literal,
  mentionedIn,
  schemasOf,
  typeName,
  writeComment,
  writeFields,
  writeType,
} from './write-types.ts';

/** The folder of the generated files, relative to the root. */
const FOLDER = 'packages/sdk/src/gen';
const HEADER =
  '// Generated from docs/openapi.json; change the contracts in proto/, then run npm run generate.\n';

/** A kind of action that the resolution of a report can order, see `DescribedKind` of the moderation service. */
export interface DescribedKind {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly needs: readonly string[];
  readonly may: readonly string[];
  readonly keyScopes: Readonly<Record<string, readonly string[]>>;
  readonly notForOneself: boolean;
}

/** A group of operations with what it is for. */
interface Group {
  readonly name: string;
  readonly comment: string;
  readonly operations: readonly Operation[];
}

/**
 * Returns the generated files of the client, as pairs of path and text: the types of requests and answers, the client's
 * methods, and the table of operations that the client needs at run time.
 *
 * @param audited the actions that the audit log records
 */
export function sdkFiles(
  document: OpenApiDocument,
  kinds: readonly DescribedKind[],
  audited: readonly string[],
): readonly (readonly [path: string, text: string])[] {
  const operations = readOperations(document);
  const groups = groupsOf(operations, document);
  return [
    [`${FOLDER}/schemas.ts`, writeSchemas(operations, document)],
    [`${FOLDER}/methods.ts`, writeMethods(groups, document)],
    [`${FOLDER}/operations.ts`, writeTable(groups)],
    [`${FOLDER}/errcodes.ts`, writeErrcodes(operations)],
    [`${FOLDER}/scopes.ts`, writeScopes(operations)],
    [`${FOLDER}/actions.ts`, writeActions(kinds)],
    [`${FOLDER}/audited.ts`, writeAudited(audited)],
  ];
}

function groupsOf(operations: readonly Operation[], document: OpenApiDocument): readonly Group[] {
  return [...Map.groupBy(operations, ({ group }) => group)].map(([name, members]) => {
    const tags = new Set(members.map(({ tag }) => tag));
    const described = document.tags.filter((tag) => tags.has(tag.name)).map(({ description }) => description);
    return { name, comment: described.join('\n\n'), operations: members };
  });
}

/** The types of answers, and of what requests and answers contain. */
function writeSchemas(operations: readonly Operation[], document: OpenApiDocument): string {
  const used = operations.flatMap(({ parameters, answer }) => [
    ...parameters.map(({ schema }) => schema),
    ...(answer === undefined ? [] : [answer]),
  ]);
  const types = schemasOf(used, document).map((name) => {
    const schema = document.components.schemas[name] ?? {};
    const comment = writeComment(schema.description, '');
    return Object.keys(schema.properties ?? {}).length === 0
      ? `${comment}export type ${typeName(name)} = ${writeType(schema)};\n`
      : `${comment}export interface ${typeName(name)} {\n${writeFields(schema, '  ')}}\n`;
  });
  return [HEADER, ...types].join('\n');
}

/** The parameters of each operation, the methods of each group, and all groups. */
function writeMethods(groups: readonly Group[], document: OpenApiDocument): string {
  const texts = groups.map((group) => {
    const methods = group.operations.map((operation) => writeMethod(operation, document));
    const members = methods.map(({ method }) => method).join('\n');
    const interfaces = methods.map(({ parameters }) => parameters);
    return [
      ...interfaces,
      `${writeComment(group.comment, '')}export interface ${pascal(group.name)}Api {\n${members}}\n`,
    ].join('\n');
  });
  const all = groups.map(
    ({ name, comment }) => `${writeComment(comment, '  ')}  readonly ${name}: ${pascal(name)}Api;\n`,
  );
  const body = [
    ...texts,
    `/** The operations of the administrative API, by group. */\nexport interface Methods {\n${all.join('')}}\n`,
  ].join('\n');
  const mentioned = new Set(
    groups.flatMap((group) => group.operations).flatMap((one) => typesOf(one, document)),
  );
  const imported = Object.keys(document.components.schemas)
    .filter((name) => mentioned.has(name))
    .map(typeName);
  return [
    HEADER,
    "import type { ByteStream } from '../core/byte-stream.ts';",
    "import type { Listing } from '../core/listing.ts';",
    "import type { CallOptions, RequestBody } from '../core/options.ts';",
    `import type {\n${imported.map((name) => `  ${name},\n`).join('')}} from './schemas.ts';\n`,
    body,
  ].join('\n');
}

function writeMethod(
  operation: Operation,
  document: OpenApiDocument,
): { readonly parameters: string; readonly method: string } {
  const { group, name, description, parameters, errcodes } = operation;
  const type = `${pascal(group)}${pascal(name)}Params`;
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  const properties = Object.fromEntries(
    parameters.map((parameter) => [
      parameter.name,
      { ...parameter.schema, description: parameter.description },
    ]),
  );
  const refusals = [...new Set(errcodes)].sort().join(', ');
  const comment = `${description}\n\n@throws StewardError: ${refusals}`;
  const optional = required.length === 0 ? '?' : '';
  const method = [
    writeComment(comment, '  '),
    ...signaturesOf(operation, type, document).map(
      ({ params, isRequired = false, result }) =>
        `  ${key(name)}(params${isRequired ? '' : optional}: ${params}, options?: CallOptions): ${result};\n`,
    ),
  ].join('');
  const fields = writeFields({ properties, required }, '  ');
  const subject = `/** The parameters of \`${group}.${name}\`. */\n`;
  return {
    parameters:
      fields === ''
        ? `${subject}export type ${type} = Readonly<Record<never, never>>;\n`
        : `${subject}export interface ${type} {\n${fields}}\n`,
    method,
  };
}

/** One way to call a method. */
interface Signature {
  readonly params: string;
  /** Whether the parameters must be given although none of them is required. */
  readonly isRequired?: boolean;
  readonly result: string;
}

/**
 * The types of parameters and result. A list whose items depend on a parameter has a signature for each of its values, one for the others,
 * and one for callers who do not know the value.
 */
function signaturesOf(
  { answer, paging }: Operation,
  type: string,
  document: OpenApiDocument,
): readonly Signature[] {
  if (answer === undefined) return [{ params: type, result: 'Promise<ByteStream>' }];
  const page = writeType(answer, '  ');
  if (paging === undefined) return [{ params: type, result: `Promise<${page}>` }];
  const { items, variants } = paging;
  const listOf = (...fields: readonly (string | undefined)[]) =>
    `Listing<${page}, ${fields.map((field) => writeType(itemOf(answer, field, document), '  ')).join(' | ')}>`;
  if (variants.length === 0) return [{ params: type, result: listOf(items) }];
  const without = variants.map(({ parameter }) => `readonly ${key(parameter)}?: undefined`);
  return [
    ...variants.map((variant) => ({
      params: `${type} & { readonly ${key(variant.parameter)}: ${literal(variant.value)} }`,
      isRequired: true,
      result: listOf(variant.items),
    })),
    { params: `${type} & { ${[...new Set(without)].join('; ')} }`, result: listOf(items) },
    { params: type, result: listOf(items, ...variants.map((variant) => variant.items)) },
  ];
}

/** The schemas that the declaration of a method mentions. */
function typesOf({ parameters, answer, paging }: Operation, document: OpenApiDocument): readonly string[] {
  const lists = paging === undefined ? [] : [paging.items, ...paging.variants.map(({ items }) => items)];
  const items = lists.map((field) => answer && itemOf(answer, field, document));
  const schemas = [...parameters.map(({ schema }) => schema), answer, ...items];
  return schemas.flatMap((schema) => (schema === undefined ? [] : mentionedIn(schema)));
}

function itemOf(answer: Schema, field: string | undefined, document: OpenApiDocument): Schema {
  const page = resolve(answer, document);
  const list = field === undefined ? page : page.properties?.[field];
  if (list?.items === undefined) throw new Error(`${referenceOf(answer)} has no items`);
  return list.items;
}

/** What the client has to know of each operation at run time, as small as possible. */
function writeTable(groups: readonly Group[]): string {
  const rows = groups.map(
    ({ name, operations }) =>
      `  ${name}: {\n${operations.map((operation) => `    ${operation.name}: ${writeRow(operation)},\n`).join('')}  },\n`,
  );
  return [
    HEADER,
    "import type { OperationTable } from '../core/operation.ts';\n",
    `/** The operations of the administrative API, below \`${ADMIN_PREFIX}\`. */\nexport const operations: OperationTable = {\n${rows.join('')}};\n`,
  ].join('\n');
}

function writeRow(operation: Operation): string {
  const { verb, path, parameters, hasBody, hasRawBody, answer, paging, operationId, isKeyed } = operation;
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => literal(name));
  const traits = [
    ...(hasBody ? ['body: true'] : []),
    ...(hasRawBody ? [`rawBody: ${literal(RAW_BODY)}`] : []),
    // Without a body, all that is not in the path is in the query.
    ...(hasBody && query.length > 0 ? [`query: [${query.join(', ')}]`] : []),
    ...(answer === undefined ? ['bytes: true'] : []),
    ...(paging === undefined ? [] : [`list: ${writePaging(paging)}`]),
    ...(verb !== 'GET' && isRepeatable(path) ? ['repeatable: true'] : []),
    ...(isKeyed ? ['keyed: true'] : []),
  ];
  if (!path.startsWith(ADMIN_PREFIX)) throw new Error(`${operationId} is outside of ${ADMIN_PREFIX}`);
  const head = [literal(verb), literal(path.slice(ADMIN_PREFIX.length))].join(', ');
  return traits.length === 0 ? `[${head}]` : `[${head}, { ${traits.join(', ')} }]`;
}

function writePaging({ items = '', cursor, variants }: NonNullable<Operation['paging']>): string {
  const others = variants.map(
    (variant) => `[${[variant.parameter, variant.value, variant.items].map(literal).join(', ')}]`,
  );
  const traits =
    cursor === undefined && others.length === 0
      ? [items]
      : [items, cursor?.parameter ?? '', cursor?.next ?? ''];
  return `[${[...traits.map(literal), ...(others.length === 0 ? [] : [`[${others.join(', ')}]`])].join(', ')}]`;
}

/** A request with a transaction id has one effect, however often it is sent. */
function isRepeatable(path: string): boolean {
  return path.includes('{txn_id}');
}

/** The errcodes of the document, and those that the client itself uses. */
function writeErrcodes(operations: readonly Operation[]): string {
  const codes = [...new Set(operations.flatMap(({ errcodes }) => errcodes))].sort();
  const union = codes.map((code) => `\n  | ${literal(code)}`).join('');
  return [
    HEADER,
    `/** The errcodes that the administrative API documents. */\nexport type DocumentedErrcode =${union};\n`,
  ].join('\n');
}

/** The scope of each operation, for programs that offer only what is permitted. */
function writeScopes(operations: readonly Operation[]): string {
  const rows = operations
    .filter(({ scopes }) => scopes.length > 0)
    .map(
      ({ group, name, scopes }) => `  ${literal(`${group}.${name}`)}: [${scopes.map(literal).join(', ')}],\n`,
    );
  return [
    HEADER,
    '/** The scopes that each operation requires, by group and name; absent for operations that require none. */',
    `export const OPERATION_SCOPES: Readonly<Record<string, readonly string[]>> = {\n${rows.join('')}};\n`,
  ].join('\n');
}

/** What the resolution of a report can order, for programs that offer only what is permitted. */
function writeActions(kinds: readonly DescribedKind[]): string {
  const list = (values: readonly string[]) => `[${values.map(literal).join(', ')}]`;
  const rows = kinds.map(({ name, scopes, needs, may, keyScopes, notForOneself }) => {
    const further = Object.entries(keyScopes).map(([of, required]) => `${key(of)}: ${list(required)}`);
    const traits = [
      `scopes: ${list(scopes)}`,
      `needs: ${list(needs)}`,
      ...(may.length === 0 ? [] : [`may: ${list(may)}`]),
      ...(further.length === 0 ? [] : [`keyScopes: { ${further.join(', ')} }`]),
      ...(notForOneself ? ['notForOneself: true'] : []),
    ];
    return `  ${key(name)}: {\n${traits.map((trait) => `    ${trait},\n`).join('')}  },\n`;
  });
  return [
    '// Generated from services/moderation/src/core/actions/kinds; change these, then run npm run generate.\n',
    "import type { ActionKind } from '../core/action-kind.ts';",
    "import type { NewReportOrder } from './schemas.ts';\n",
    '/** What the resolution of a report can order, by kind, in the sequence in which programs offer it. */',
    `export const ACTION_KINDS: Readonly<Record<NewReportOrder['kind'], ActionKind>> = {\n${rows.join('')}};\n`,
  ].join('\n');
}

/** The actions that the audit log records. */
function writeAudited(actions: readonly string[]): string {
  const union = [...new Set(actions)].sort().map((action) => `\n  | ${literal(action)}`);
  return [
    '// Generated from the contracts in proto/; change these, then run npm run generate.\n',
    `/** The actions that the audit log records; in addition it has all that an administrator does as another user. */\nexport type AuditedAction =${union.join('')};\n`,
  ].join('\n');
}

function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
