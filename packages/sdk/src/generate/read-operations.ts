import { nameOperation } from './names.ts';
import type { DescribedOperation, OpenApiDocument, Parameter, Schema } from './openapi.ts';
import { resolve } from './openapi.ts';
import { type Paging, pagingOf } from './paging.ts';

/** The prefix of the paths of the administrative API. */
export const ADMIN_PREFIX = '/_service/admin/';

/** The parameter that holds a body that is not JSON. */
export const RAW_BODY = 'content';

/** A parameter of an operation, wherever the request has it. */
export interface OperationParameter {
  /** The documented name, the same in a program, in the path, the query and the body. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** An operation of the administrative API, as programs call it. */
export interface Operation {
  readonly group: string;
  readonly name: string;
  readonly operationId: string;
  /** Further paths of the same RPC in the document, which take the same parameters and are not called. */
  readonly aliases: readonly string[];
  readonly tag: string;
  /** The method of HTTP. */
  readonly verb: string;
  /** The documented path, with parameters in braces. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The scopes that callers need; none for what everyone may call. */
  readonly scopes: readonly string[];
  /** In the order of the path, then of the query, then of the body. */
  readonly parameters: readonly OperationParameter[];
  /** Whether the request has a body of JSON, possibly an empty object. */
  readonly hasBody: boolean;
  /** Whether the body is not JSON, but the bytes of the parameter `RAW_BODY`. */
  readonly hasRawBody: boolean;
  /** The schema of the answer, a reference where the document has one; undefined for a stream of bytes. */
  readonly answer: Schema | undefined;
  /** How the list continues; undefined if the operation is not a list. */
  readonly paging: Paging | undefined;
  /** Whether it is a change that the server makes once for each idempotency key. */
  readonly isKeyed: boolean;
  /** Whether the server answers what it would do, see `plans.create`. */
  readonly isPlanned: boolean;
  /** The documented errcodes of its refusals. */
  readonly errcodes: readonly string[];
}

/** What operations refer to that take an idempotency key. */
const KEY_REFERENCE = '#/components/parameters/IdempotencyKey';

/**
 * Returns the operations of the administrative API, in the order of the document.
 *
 * @throws Error if two operations have the same name, or two parameters of one
 */
export function readOperations(document: OpenApiDocument): readonly Operation[] {
  const operations = new Map<string, Operation>();
  for (const [path, verbs] of Object.entries(document.paths)) {
    if (!path.startsWith(ADMIN_PREFIX)) continue;
    for (const [verb, described] of Object.entries(verbs)) {
      const [service, rpc, alias] = described.operationId.split('_');
      const id = `${service}_${rpc}`;
      const first = operations.get(id);
      if (alias === undefined)
        operations.set(id, readOperation(verb.toUpperCase(), path, described, document));
      else if (first === undefined) throw new Error(`${described.operationId} has no first path`);
      else operations.set(id, { ...first, aliases: [...first.aliases, described.operationId] });
    }
  }
  const all = [...operations.values()];
  requireDistinct(
    all.map(({ group, name }) => `${group}.${name}`),
    'the API',
  );
  return all;
}

function readOperation(
  verb: string,
  path: string,
  described: DescribedOperation,
  document: OpenApiDocument,
): Operation {
  const { operationId, summary, description } = described;
  const [tag = ''] = described.tags;
  const parameters = [
    ...(described.parameters ?? []).filter(isField).map(fieldOf),
    ...bodyFields(described, document),
  ];
  requireDistinct(
    parameters.map(({ name }) => name),
    operationId,
  );
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const answer = (described.responses['200'] ?? described.responses['201'])?.content?.['application/json']
    ?.schema;
  return {
    ...nameOperation(operationId, tag),
    operationId,
    aliases: [],
    tag,
    verb,
    path,
    summary,
    description,
    scopes: described.security?.[0]?.accessToken ?? [],
    parameters,
    hasBody: described.requestBody !== undefined && !isRaw(described),
    hasRawBody: isRaw(described),
    answer,
    paging: pagingOf(described['x-list'], query, answer && resolve(answer, document)),
    isKeyed: (described.parameters ?? []).some(({ $ref }) => $ref === KEY_REFERENCE),
    isPlanned: described['x-planned'] === true,
    errcodes: Object.values(described.responses).flatMap((response) => response['x-errcodes'] ?? []),
  };
}

/** Headers are options of the call. */
function isField(parameter: Parameter): parameter is Parameter & { in: 'path' | 'query' } {
  return parameter.$ref === undefined && parameter.in !== 'header';
}

function fieldOf({
  name,
  in: place,
  required,
  description = '',
  schema,
}: Parameter & { in: 'path' | 'query' }): OperationParameter {
  return { name, in: place, required, description, schema };
}

/** Whether an operation has a body that is not JSON. */
function isRaw({ requestBody }: DescribedOperation): boolean {
  return requestBody !== undefined && requestBody.content['application/json'] === undefined;
}

function bodyFields(operation: DescribedOperation, document: OpenApiDocument): OperationParameter[] {
  const { operationId, requestBody } = operation;
  if (isRaw(operation)) {
    const schema = { type: 'string', format: 'binary' };
    return [{ name: RAW_BODY, in: 'body', required: true, description: 'The body: the file.', schema }];
  }
  const described = requestBody?.content['application/json']?.schema;
  if (described === undefined) return [];
  const { properties, required = [] } = resolve(described, document);
  if (properties === undefined) throw new Error(`${operationId} has a body without fields`);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'body',
    required: required.includes(name),
    description: schema.description ?? '',
    schema,
  }));
}

function requireDistinct(names: readonly string[], owner: string): void {
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new Error(`${twice} occurs twice in ${owner}`);
}
