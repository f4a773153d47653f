import type { Schema } from './openapi.ts';

/** Where the items of a list are, and how its pages continue. */
export interface Paging {
  /** The field of the answer with the items; absent if the answer itself is the array. */
  readonly items?: string;
  /** The parameter that receives what the answer before has in `next`; absent for lists of one page. */
  readonly cursor?: { readonly parameter: string; readonly next: string };
}

/** The names of the parameter from which a page continues, and of the field that contains it, the preferred first. */
const CURSORS: Readonly<Record<string, readonly string[]>> = {
  from: ['next_token', 'next_batch', 'end'],
  after: ['next_after'],
};

/**
 * Recognises a list by the names of its parameters and fields: the answer is an array, or has one, and where the request
 * takes a position (`from`, `after`), the answer names that of the next page (`next_token`, `next_batch`, `end`,
 * `next_after`). Of several arrays the first one has the items. An operation without a position is a list of one page
 * if it is named so (`List...`) or its answer is an array.
 *
 * @returns undefined if the operation is no list
 */
export function recognisePaging(
  operation: { readonly verb: string; readonly rpc: string; readonly query: readonly string[] },
  answer: Schema | undefined,
): Paging | undefined {
  if (operation.verb !== 'GET' || answer === undefined) return undefined;
  if (answer.type === 'array') return {};
  const fields = answer.properties ?? {};
  const items = Object.keys(fields).find((name) => fields[name]?.type === 'array');
  if (items === undefined) return undefined;
  for (const [parameter, names] of Object.entries(CURSORS)) {
    const next = names.find((name) => fields[name] !== undefined);
    if (operation.query.includes(parameter) && next !== undefined)
      return { items, cursor: { parameter, next } };
  }
  return operation.rpc.startsWith('List') ? { items } : undefined;
}
