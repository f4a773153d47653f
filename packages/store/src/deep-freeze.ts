/** Freezes a JSON value with all that it contains, because it is given to several readers. Returns the value. */
export function deepFreeze<V extends object>(value: V): V {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
