/** The fields of answers that have the id of the task which carries the order out. */
const TASK_FIELDS = ['task_id', 'redact_id', 'delete_id', 'purge_id'];

/** Whether an order is carried out by a task, whose end its answer does not wait for. */
export function beginsTask(answer: unknown): boolean {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    TASK_FIELDS.some((field) => typeof (answer as Record<string, unknown>)[field] === 'string')
  );
}
