import type { Task } from '@steward/sdk';
import { ReportLink, RoomLink, UserLink } from '../../ui/links.tsx';

/** What a task works on, as a link where the console has a page for it. */
export function TaskTarget({ task: { target, kind } }: { readonly task: Task }) {
  if (target.startsWith('@')) return <UserLink id={target} />;
  if (target.startsWith('!')) return <RoomLink id={target} />;
  if (kind === 'report.resolve') return <ReportLink id={target} />;
  return <bdi>{target === kind ? '' : target}</bdi>;
}
