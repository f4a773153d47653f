/**
 * A list, of which nothing is requested before it is used: `await` returns its first page as the server answers it, `for
 * await` goes through the items of all pages, and `pages()` through the pages. Each loop begins anew.
 */
export interface Listing<Page, Item> extends PromiseLike<Page>, AsyncIterable<Item> {
  catch<T>(onRejected: (reason: unknown) => T | PromiseLike<T>): Promise<Page | T>;
  finally(onFinally: () => void): Promise<Page>;
  pages(): AsyncIterable<Page>;
}

/**
 * Where the items are, and how the pages continue: the name of the items, of the parameter and of the field, empty for a list of one
 * page, and where the items are instead when a parameter has a value.
 */
export type ListTraits = readonly [
  items: string,
  parameter?: string,
  next?: string,
  variants?: readonly (readonly [parameter: string, value: string, items: string])[],
];

type Params = Readonly<Record<string, unknown>>;

/**
 * @param load requests the page with these parameters
 * @param signal ends a loop also between two items of a page
 */
export function createListing<Page, Item>(
  [usual, parameter = '', next = '', variants = []]: ListTraits,
  params: Params,
  load: (params: Params) => Promise<Page>,
  signal?: AbortSignal,
): Listing<Page, Item> {
  const items = variants.find(([name, value]) => params[name] === value)?.[2] ?? usual;
  let first: Promise<Page> | undefined;
  const firstPage = () => {
    first ??= load(params);
    return first;
  };

  async function* pages(): AsyncGenerator<Page> {
    let current = params;
    for (;;) {
      const page = await load(current);
      yield page;
      if (next === '') return;
      const position = (page as Params)[next];
      // A list that is still growing ends with a position, which is where it stands already.
      if (position == null || position === '' || String(position) === String(current[parameter])) return;
      current = { ...params, [parameter]: position };
    }
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: a list is awaited for its first page
    then: (onFulfilled, onRejected) => firstPage().then(onFulfilled, onRejected),
    catch: (onRejected) => firstPage().catch(onRejected),
    finally: (onFinally) => firstPage().finally(onFinally),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) {
        for (const item of itemsOf<Item>(page, items)) {
          signal?.throwIfAborted();
          yield item;
        }
      }
      signal?.throwIfAborted();
    },
  };
}

function itemsOf<Item>(page: unknown, field: string): readonly Item[] {
  const items = field === '' ? page : (page as Params)[field];
  return Array.isArray(items) ? items : [];
}
