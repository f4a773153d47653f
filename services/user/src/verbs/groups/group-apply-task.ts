import { toRefusal } from '@steward/errors';
import { createEachInterval, defineTask, type RunningTask, type TaskKind } from '@steward/tasks';
import type { Deps } from '../../core/deps.ts';
import { changeMemberships } from '../../core/groups/change-memberships.ts';
import { groupAggregate } from '../../core/groups/group-aggregate.ts';
import { GROUP_APPLY, type GroupApplied } from '../../core/groups/group-apply.ts';

/** How many members are changed between two checkpoints. */
const BATCH = 100;

const BAD_REQUEST = 400;

/** The account that was done last, and the group of which it was a member. */
interface Cursor {
  readonly group: string;
  readonly user: string;
}

type ApplyTask = RunningTask<object, Cursor>;

/** Brings the members of a group to what it says; the members of all groups for the key that is the kind. */
export function groupApplyTask(deps: Deps): TaskKind {
  return defineTask<object>(GROUP_APPLY, {
    steps: [{ name: 'applying', run: (task: ApplyTask) => run(deps, task) }],
    renderResult: (result) => result ?? ({ changed: 0, refused: 0 } satisfies GroupApplied),
  });
}

/** Orders the task of the current interval for all groups. */
export async function scheduleGroups(deps: Pick<Deps, 'tasks' | 'clock' | 'groups'>, intervalMs: number) {
  if ((await deps.groups.findOne({ deleted: false }, { projection: { _id: 1 } })) === null) return;
  await createEachInterval(deps.tasks, deps.clock, { kind: GROUP_APPLY, intervalMs, params: {} });
}

/** Accounts that are as they should be are not written, so an attempt after an interruption only reads the last batch again. */
async function run(deps: Deps, task: ApplyTask): Promise<void> {
  const all = task.key === GROUP_APPLY;
  for (;;) {
    const cursor = task.cursor();
    const group = all ? await nextGroup(deps, cursor) : task.key;
    if (group === undefined) return;
    await applyTo(deps, task, group, cursor?.group === group ? cursor.user : '');
    // The members are gone from a group that was deleted; they were told apart by its document until now.
    await groupAggregate.delete(deps, group, ({ deleted }) => deleted);
    if (!all) return;
    await task.save({ cursor: { group: `${group}\0`, user: '' } });
  }
}

/** The group in which the task goes on. */
async function nextGroup({ groups }: Deps, cursor: Cursor | undefined): Promise<string | undefined> {
  const [next] = await groups
    .find({ _id: { $gte: cursor?.group ?? '' } }, { sort: { _id: 1 }, limit: 1, projection: { _id: 1 } })
    .toArray();
  return next?._id;
}

async function applyTo(deps: Deps, task: ApplyTask, group: string, from: string): Promise<void> {
  const origin = {
    ...{ requester: task.requestedBy, traceparent: '' },
    actor: task.requestedBy,
    requestId: '',
  };
  for (let after = from; ; ) {
    const batch = await deps.accounts
      .find(
        { 'groups.id': group, _id: { $gt: after } },
        { sort: { _id: 1 }, limit: BATCH, projection: { _id: 1 } },
      )
      .toArray();
    const last = batch.at(-1);
    if (!last) return;
    const { changed, refused } = task.result<GroupApplied>() ?? { changed: 0, refused: 0 };
    const result = { changed, refused };
    for (const { _id } of batch) {
      try {
        if ((await changeMemberships(deps, _id, origin))?.changed) result.changed += 1;
      } catch (error) {
        // The server keeps an active administrator.
        if (toRefusal(error).status !== BAD_REQUEST) throw error;
        result.refused += 1;
      }
    }
    after = last._id;
    await task.save({ cursor: { group, user: after }, result, done: task.done + batch.length });
  }
}
