/** Thrown by a task that cannot succeed, however often it is tried; the message is told to whoever asks. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
}

/** Thrown where a task that is worked on is to be cancelled; the message is told to whoever asks. */
export class TaskCancelled extends Error {
  override readonly name = 'TaskCancelled';

  /** @param by the id of the user who wants it to stop */
  constructor(by: string) {
    super(`Cancelled by ${by}`);
  }
}

/** Thrown when a task cannot be cancelled any more; the message says why. */
export class NotCancellable extends Error {
  override readonly name = 'NotCancellable';
}

/** Thrown where a task is no longer this instance's to work on. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}
