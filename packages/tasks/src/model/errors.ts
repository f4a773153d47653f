/** Thrown by a task that cannot succeed, however often it is tried. Administrators see the message. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
}

/** Thrown by a task that waits for something: it gives up its place, and goes on from its checkpoint after a pause, however often. */
export class TaskDeferred extends Error {
  override readonly name = 'TaskDeferred';
  readonly pauseMs: number;

  constructor(pauseMs: number) {
    super(`Goes on in ${pauseMs} ms`);
    this.pauseMs = pauseMs;
  }
}

/** Thrown in a running task that is to be cancelled. Administrators see the message. */
export class TaskCancelled extends Error {
  override readonly name = 'TaskCancelled';

  /** @param by the id of the user who cancelled the task */
  constructor(by: string) {
    super(`Cancelled by ${by}`);
  }
}

/** Thrown when a task can no longer be cancelled; the message says why. */
export class NotCancellable extends Error {
  override readonly name = 'NotCancellable';
}

/** Thrown in a running task whose lease is no longer this instance's. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}
