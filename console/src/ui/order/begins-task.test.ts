import { expect, it } from 'vitest';
import { beginsTask } from './begins-task.ts';

it.each([
  [{ redact_id: 'task' }, true],
  [{ delete_id: 'task' }, true],
  [{ task_id: 'task', rooms: 3 }, true],
  [{ task_id: null }, false],
  [{ user_id: '@alice:localhost' }, false],
  [undefined, false],
])('An order that is answered with %j begins a task: %s', (answer, begins) => {
  expect(beginsTask(answer)).toBe(begins);
});
