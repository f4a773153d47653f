import { useCan } from '../../api/use-can.ts';
import { Person } from '../../ui/faces/person.tsx';
import { Room } from '../../ui/faces/room.tsx';
import { TextLink } from '../../ui/link.tsx';
import { ReportLink, TaskLink } from '../../ui/links.tsx';

/** What an entry names, an actor or a target, as a link where the console has a page for it. */
export function Subject({ id }: { readonly id: string }) {
  const can = useCan();
  const text = <bdi>{id}</bdi>;
  if (id.startsWith('@')) return <Person id={id} />;
  if (id.startsWith('!')) return <Room id={id} />;
  const colon = id.indexOf(':');
  const rest = id.slice(colon + 1);
  switch (id.slice(0, Math.max(colon, 0))) {
    case 'report':
      return <ReportLink id={rest}>{text}</ReportLink>;
    case 'task':
      return <TaskLink id={rest}>{text}</TaskLink>;
    case 'token':
      if (!can('tokens.get')) return text;
      return (
        <TextLink to="/access" search={{ tab: 'tokens', token: rest }}>
          {text}
        </TextLink>
      );
    case 'webhook':
      if (!can('webhooks.get')) return text;
      return (
        <TextLink to="/access/webhooks/$webhookId" params={{ webhookId: rest }}>
          {text}
        </TextLink>
      );
    default:
      return text;
  }
}
