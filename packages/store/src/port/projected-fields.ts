/**
 * The top-level fields that a projection returns; `undefined` where it names none, which means all.
 *
 * @throws TypeError for a projection that leaves out the id and names no other field
 */
export function projectedFields(projection: object = {}): readonly string[] | undefined {
  const entries = Object.entries(projection);
  const named = entries.flatMap(([field, included]) => (included ? [field] : []));
  const withoutId = entries.some(([field, included]) => field === '_id' && included === 0);
  if (named.length === 0) {
    if (withoutId) throw new TypeError('A projection without the id names another field');
    return undefined;
  }
  return withoutId || named.includes('_id') ? named : ['_id', ...named];
}
