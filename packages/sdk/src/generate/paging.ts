import type { ListOfOperation, Schema } from './openapi.ts';

/** Where the items of a list are, and how its pages continue. */
export interface Paging {
  /** The field of the answer with the items; absent if the answer itself is the array. */
  readonly items?: string;
  /** The parameter that receives what the answer before has in `next`; absent for lists of one page. */
  readonly cursor?: { readonly parameter: string; readonly next: string };
  /** Where the items are instead when a parameter has a value. */
  readonly variants: readonly ListVariant[];
}

/** A parameter whose value makes an operation a list of other items. */
export interface ListVariant {
  readonly parameter: string;
  readonly value: string;
  /** The field of the answer with the items. */
  readonly items: string;
}

/**
 * Returns how the contract declares the list that an operation answers with.
 *
 * @param query the names of the parameters in the query
 * @param answer the schema of the answer, without a reference
 * @returns undefined if the operation is not a list
 * @throws Error if the declaration names what the operation has not
 */
export function pagingOf(
  declared: ListOfOperation | undefined,
  query: readonly string[],
  answer: Schema | undefined,
): Paging | undefined {
  if (declared === undefined) return undefined;
  const { items, from, next = '', variants = [] } = declared;
  const fields = answer?.properties ?? {};
  for (const name of [items, ...variants.map((variant) => variant.items)]) {
    if ((name === undefined ? answer : fields[name])?.type !== 'array')
      throw new Error(`the answer has no list ${name ?? 'as a whole'}`);
  }
  for (const name of [...(from === undefined ? [] : [from]), ...variants.map(({ parameter }) => parameter)])
    if (!query.includes(name)) throw new Error(`the query has no ${name}`);
  if (from !== undefined && fields[next] === undefined) throw new Error(`the answer has no field ${next}`);
  return {
    ...(items === undefined ? {} : { items }),
    ...(from === undefined ? {} : { cursor: { parameter: from, next } }),
    variants,
  };
}
