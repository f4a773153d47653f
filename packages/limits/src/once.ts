/**
 * Counts an action at most once, however often the request for it is decided: calls `count` until it has returned.
 *
 * @throws what `count` throws
 */
export function once<A extends readonly unknown[]>(count: (...args: A) => void): (...args: A) => void {
  let isCounted = false;
  return (...args) => {
    if (isCounted) return;
    count(...args);
    isCounted = true;
  };
}
