/** Numbers of tasks that have not ended, such as a `TaskBacklog` of the tasks of a service. */
interface OpenTaskCounts {
  readonly open: readonly { readonly state: 'scheduled' | 'active'; readonly count: number }[];
}

/** The figures of tasks that have not ended, whatever their kind. */
export function taskFigures({
  open,
}: OpenTaskCounts): Readonly<Record<'scheduled_tasks' | 'active_tasks', number>> {
  const countOf = (state: 'scheduled' | 'active') =>
    open.reduce((sum, each) => sum + (each.state === state ? each.count : 0), 0);
  return { scheduled_tasks: countOf('scheduled'), active_tasks: countOf('active') };
}
