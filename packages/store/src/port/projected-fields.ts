/** The fields of projections that were asked for; most are constants of the code that asks. */
const known = new WeakMap<object, readonly string[] | undefined>();

/**
 * The top-level fields that a projection returns; `undefined` where it names none, which means all. The same array for the
 * same object, which must not be changed.
 *
 * @throws TypeError for a projection that leaves out the id and names no other field
 */
export function projectedFields(projection?: object): readonly string[] | undefined {
  if (projection === undefined) return undefined;
  if (known.has(projection)) return known.get(projection);
  const fields = fieldsOf(projection);
  known.set(projection, fields);
  return fields;
}

function fieldsOf(projection: object): readonly string[] | undefined {
  const entries = Object.entries(projection);
  const named = entries.flatMap(([field, included]) => (included ? [field] : []));
  const withoutId = entries.some(([field, included]) => field === '_id' && included === 0);
  if (named.length === 0) {
    if (withoutId) throw new TypeError('A projection without the id names another field');
    return undefined;
  }
  return withoutId || named.includes('_id') ? named : ['_id', ...named];
}
