import { endWith, type Span, type Tracing } from '@steward/kernel';
import { hasScope, scopeName } from '@steward/rpc';
import { TaskCancelled, TaskDeferred, TaskFailed } from '../model/errors.ts';
import { BY_SERVER, type Task } from '../model/task.ts';
import { announceEnd, type TaskContext } from './context.ts';
import { type Ending, endedWith, endingAfter } from './ending.ts';
import { RunningTask } from './running-task.ts';
import type { TaskKind } from './task-kind.ts';

/** How long a lease lasts: some renewals can fail before it ends. */
export const LEASE_MS = 12_000;
/** How often an instance renews its leases. */
export const RENEWAL_INTERVAL_MS = 3_000;
/** The most attempts of a task without progress. */
const MAX_ATTEMPTS = 20;
/** The wait after the first failed attempt, which doubles with each one. */
const FIRST_RETRY_MS = 500;
/** The longest wait after a failed attempt. */
const LONGEST_RETRY_MS = 60_000;

/** Runs tasks that this instance has leased. */
export class TaskRunner {
  readonly #context: TaskContext;
  #closing = false;

  constructor(context: TaskContext) {
    this.#context = context;
  }

  /** From now on a run that is stopped returns its task, so that another instance can lease it at once. */
  beginClosing(): void {
    this.#closing = true;
  }

  /** Makes one attempt at a task. Never throws. */
  run(task: Task, stop: AbortController): Promise<void> {
    const { tracing } = this.#context;
    const span = tracing && begin(tracing, task);
    if (span) return span.run(() => endWith(span, () => this.#run(task, stop, span)));
    return tracing ? tracing.detach(() => this.#run(task, stop)) : this.#run(task, stop);
  }

  async #run(task: Task, stop: AbortController, span?: Span): Promise<void> {
    const { tasks, parts, clock, report, announcer, attemptsFailed } = this.#context;
    const announce = announcer.progressOf(task);
    const progressed = (done: number, total: number) => announce(clock.now(), done, total);
    const running = new RunningTask(task, { tasks, parts }, stop, progressed);
    const renew = () => running.hold({ $set: { due: clock.now() + LEASE_MS } });
    const renewal = setInterval(() => {
      renew().catch((error) => {
        if (!(error instanceof TaskCancelled)) report('the lease of a task was not renewed', { error });
      });
    }, RENEWAL_INTERVAL_MS);
    try {
      const ending = await this.#attempt(running, task);
      span?.set({ 'steward.task.state': ending.state });
      await this.#finish(running, task.kind, ending);
    } catch (error) {
      if (this.#closing && stop.signal.aborted) await this.#return(running).catch(() => {});
      else if (!stop.signal.aborted) {
        if (!(error instanceof TaskDeferred)) {
          span?.fail(error instanceof Error ? error.name : 'unknown');
          attemptsFailed.add({ kind: task.kind });
          report('an attempt at a task failed and will be repeated', { error });
        }
        await this.#postpone(running, task, error).catch((fault) =>
          report('a task stays leased until its lease ends', { error: fault }),
        );
      }
    } finally {
      clearInterval(renewal);
    }
  }

  /** @returns how the task ended */
  async #attempt(running: RunningTask, { kind, attempt, cancel }: Task): Promise<Ending> {
    const known = this.#context.kinds.get(kind);
    try {
      if (cancel !== undefined) throw new TaskCancelled(cancel);
      if (attempt > MAX_ATTEMPTS) throw new TaskFailed('It was tried too often');
      if (known) await requireEntitled(this.#context, known, running);
      await known?.run(running);
      return { state: 'complete' };
    } catch (error) {
      const ending = endingAfter(error, running.signal);
      if (!ending) throw error;
      await known?.compensate?.(running);
      return ending;
    }
  }

  async #finish(running: RunningTask, kind: string, ending: Ending): Promise<void> {
    const ended = await running.write(endedWith(ending, this.#context.clock.now()));
    this.#context.ended.add({ kind, state: ending.state });
    await announceEnd(this.#context, ended);
  }

  async #postpone(running: RunningTask, { kind, attempt }: Task, error: unknown): Promise<void> {
    const { clock, random, kinds } = this.#context;
    const ceilingMs = Math.min(FIRST_RETRY_MS * 2 ** attempt, LONGEST_RETRY_MS);
    const next =
      error instanceof TaskDeferred
        ? { due: clock.now() + error.pauseMs, attempt: 0 }
        : { due: clock.now() + ceilingMs / 2 + random.below(ceilingMs / 2) };
    try {
      await running.hold({ $set: { state: 'scheduled', ...next } });
    } catch (error) {
      if (!(error instanceof TaskCancelled)) throw error;
      await kinds.get(kind)?.compensate?.(running);
      await this.#finish(running, kind, { state: 'cancelled', error: error.message });
    }
  }

  async #return(running: RunningTask): Promise<void> {
    const { clock, bus, topic } = this.#context;
    await running.write({ $set: { state: 'scheduled', due: clock.now(), attempt: 0 } });
    bus.notify(topic);
  }
}

/** @throws TaskFailed when the caller who ordered a task is not entitled any more to what it does */
async function requireEntitled(
  { authority }: Pick<TaskContext, 'authority'>,
  { requires, committedSteps = [] }: TaskKind,
  task: RunningTask,
): Promise<void> {
  const { requestedBy } = task;
  if (!authority || !requires || requestedBy === BY_SERVER || committedSteps.includes(task.step)) return;
  const rights = await authority.rightsOf(requestedBy);
  if (rights.admin) return;
  const { scopes, accounts = [] } = requires(task);
  const over = accounts.length > 0 ? [...(await authority.scopesOver(accounts)).values()].flat() : [];
  const missing = [...scopes, ...over].find((scope) => !hasScope(rights, scope));
  if (missing !== undefined)
    throw new TaskFailed(
      `${requestedBy}, who ordered it, does not have the scope ${scopeName(missing)} any more`,
    );
}

/** Begins the span of an attempt at a task, below the one of the request that created the task. */
function begin(tracing: Tracing, { _id: id, kind, attempt, traceparent = '' }: Task): Span | undefined {
  const attributes = { 'steward.task.kind': kind, 'steward.task.id': id, 'steward.task.attempt': attempt };
  return tracing.follow(
    { name: `task ${kind}`, kind: 'internal', attributes },
    { traceparent },
    { link: true },
  );
}
