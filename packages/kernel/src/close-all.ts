/**
 * Takes the steps of a close one after the other. A step that fails does not keep the others from being taken.
 *
 * @throws what a step threw, after all were taken; an `AggregateError` when several did
 */
export async function closeAll(steps: Iterable<() => unknown>): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} steps of a close failed`);
  if (errors.length === 1) throw errors[0];
}
