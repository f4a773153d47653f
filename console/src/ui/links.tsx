import type { ReactNode } from 'react';
import { useCan } from '../api/use-can.ts';
import { TextLink } from './link.tsx';
import { NameOfRoom, NameOfUser } from './names.tsx';

interface NamedLinkProps {
  readonly id: string;
  /** What is shown in place of the name. */
  readonly children?: ReactNode;
}

/** A user, as a link to their page if the reader may open it. */
export function UserLink({ id, children = <NameOfUser id={id} /> }: NamedLinkProps) {
  const can = useCan();
  if (!can('users.get')) return <span>{children}</span>;
  return (
    <TextLink to="/users/$userId" params={{ userId: id }}>
      {children}
    </TextLink>
  );
}

/** A room, as a link to its page if the reader may open it. */
export function RoomLink({ id, children = <NameOfRoom id={id} /> }: NamedLinkProps) {
  const can = useCan();
  if (!can('rooms.get')) return <span>{children}</span>;
  return (
    <TextLink to="/rooms/$roomId" params={{ roomId: id }}>
      {children}
    </TextLink>
  );
}

/** What an id names, by its name: a user or a room as a link, anything else as text. */
export function IdLink({ id }: { readonly id: string }) {
  if (id.startsWith('@')) return <UserLink id={id} />;
  return id.startsWith('!') ? <RoomLink id={id} /> : <bdi>{id}</bdi>;
}

/** A report or its case, as a link to its page if the reader may open it. */
export function ReportLink({ id, children = <bdi>{id}</bdi> }: NamedLinkProps) {
  const can = useCan();
  if (!can('reports.get')) return <span>{children}</span>;
  return (
    <TextLink to="/reports/$reportId" params={{ reportId: id }}>
      {children}
    </TextLink>
  );
}

/** A task, as a link to its page if the reader may open it. */
export function TaskLink({ id, children = <bdi>{id}</bdi> }: NamedLinkProps) {
  const can = useCan();
  if (!can('tasks.get')) return <span>{children}</span>;
  return (
    <TextLink to="/tasks/$taskId" params={{ taskId: id }}>
      {children}
    </TextLink>
  );
}

interface MediaLinkProps {
  readonly serverName: string;
  readonly mediaId: string;
  /** The text in place of the content URI. */
  readonly children?: ReactNode;
}

/** A medium, as a link to its page if the reader may open it. */
export function MediaLink({ serverName, mediaId, children }: MediaLinkProps) {
  const can = useCan();
  const content = children ?? (
    <bdi>
      mxc://{serverName}/{mediaId}
    </bdi>
  );
  if (!can('media.get')) return <span>{content}</span>;
  return (
    <TextLink to="/media/$serverName/$mediaId" params={{ serverName, mediaId }}>
      {content}
    </TextLink>
  );
}
