/** The id that a filter tests for, if it tests for nothing else. */
export function idAlone(filter: object): string | undefined {
  const [[path, id] = [], ...others] = Object.entries(filter);
  return path === '_id' && typeof id === 'string' && others.length === 0 ? id.toWellFormed() : undefined;
}
