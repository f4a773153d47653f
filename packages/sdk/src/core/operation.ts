import { byteStreamOf } from './byte-stream.ts';
import { checkParameters } from './check-options.ts';
import { createListing, type ListTraits } from './listing.ts';
import type { CallOptions, RequestBody } from './options.ts';
import { parseJson } from './parse-json.ts';
import type { Outgoing, Send } from './transport.ts';

/** What an operation has besides its method and path. */
export interface OperationTraits {
  /** Whether parameters that are neither in the path nor in `query` form an object of JSON; otherwise they are the query. */
  readonly body?: true;
  /** The parameter that is the body, which is not JSON; the others are in the path or the query. */
  readonly rawBody?: string;
  /** The parameters in the query of an operation that has a body. */
  readonly query?: readonly string[];
  /** Whether the answer is a stream of bytes. */
  readonly bytes?: true;
  readonly list?: ListTraits;
  /** Whether a second execution of a change has no effect. */
  readonly repeatable?: true;
  /** Whether it is a change that the server makes once for each idempotency key. */
  readonly keyed?: true;
}

/** An operation: its method of HTTP, its path below the prefix with parameters in braces, and its traits. */
export type Operation = readonly [method: string, path: string, traits?: OperationTraits];

/** The operations by group and name. */
export type OperationTable = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

type Params = Readonly<Record<string, unknown>>;

/** The prefix of the paths of the administrative API. */
const PREFIX = '/_service/admin/';

/** Calls an operation with the parameters that its documentation names, wherever the request has them. */
export function callOperation(
  send: Send,
  name: string,
  operation: Operation,
  params: Params = {},
  options: CallOptions = {},
): unknown {
  const { list, bytes } = operation[2] ?? {};
  const call = (parameters: Params) =>
    bytes
      ? send(requestOf(name, operation, parameters), options, byteStreamOf)
      : send(requestOf(name, operation, parameters), options, readJson);
  if (list !== undefined)
    return createListing(list, params, async (parameters) => call(parameters), options.signal);
  // Wrong parameters reject the promise, as refusals of the server do.
  return (async () => call(params))();
}

/** @throws TypeError if a parameter of the path is missing, or would change which path it is, and for options among the parameters */
function requestOf(operation: string, [method, path, traits = {}]: Operation, params: Params): Outgoing {
  checkParameters(operation, params);
  const { body, rawBody, query, bytes, repeatable, keyed } = traits;
  const rest = { ...params };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    if (value === undefined || value === null || /^\.{0,2}$|\p{Surrogate}/u.test(String(value)))
      throw new TypeError(
        `${operation}: ${name} must be given, and be neither empty, dots nor half a character`,
      );
    return encodeURIComponent(String(value));
  });
  const raw = rawBody === undefined ? undefined : (take(rest, [rawBody])[rawBody] as RequestBody | undefined);
  const inQuery = body ? take(rest, query ?? []) : rest;
  return {
    operation,
    method,
    path: `${PREFIX}${filled}${queryOf(inQuery)}`,
    headers: {
      ...(bytes ? {} : { accept: 'application/json' }),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(rawBody === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    },
    body: rawBody === undefined ? body && JSON.stringify(rest) : (raw ?? ''),
    repeatable,
    keyed,
  };
}

/** Writes a query: lists as repeated parameters, nothing for what is undefined or null. */
export function queryOf(params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, String(one));
    }
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function take(params: Record<string, unknown>, names: readonly string[]): Params {
  const taken: Record<string, unknown> = {};
  for (const name of names) {
    taken[name] = params[name];
    delete params[name];
  }
  return taken;
}

async function readJson(response: Response): Promise<unknown> {
  return parseJson(await response.text(), response);
}
