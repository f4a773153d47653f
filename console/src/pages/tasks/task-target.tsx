import type { Task } from '@steward/sdk';
import { Person } from '../../ui/faces/person.tsx';
import { Room } from '../../ui/faces/room.tsx';
import { ReportLink } from '../../ui/links.tsx';

/** What a task works on, as a link where the console has a page for it. */
export function TaskTarget({ task: { target, kind } }: { readonly task: Task }) {
  if (target.startsWith('@')) return <Person id={target} />;
  if (target.startsWith('!')) return <Room id={target} />;
  if (kind === 'report.resolve') return <ReportLink id={target} />;
  return <bdi>{target === kind ? '' : target}</bdi>;
}
