/**
 * Runs calls in groups, one group at a time: a call that is made while a group runs waits for it, together with all
 * others, and they are the next group. So concurrent calls share the cost of one, and a single call does not wait.
 *
 * @param run processes the items of the calls of a group, in the order of the calls
 * @param most how many calls a group has at most
 * @returns a function that processes an item; it returns and throws what `run` did for its group
 */
export function coalesceCalls<T, R>(
  run: (items: readonly T[]) => Promise<R>,
  most: number,
): (item: T) => Promise<R> {
  let next: { readonly items: T[]; readonly outcome: Promise<R> } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return (item) => {
    if (next && next.items.length < most) next.items.push(item);
    else {
      const items = [item];
      const outcome = last.then(() => {
        if (next?.items === items) next = undefined;
        return run(items);
      });
      last = outcome.catch(() => {});
      next = { items, outcome };
    }
    return next.outcome;
  };
}
