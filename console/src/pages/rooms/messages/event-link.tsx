import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TextLink } from '../../../ui/link.tsx';

interface EventLinkProps {
  readonly eventId: string;
  readonly children?: ReactNode;
}

/** A link to an event of the same room, with those around it. */
export function EventLink({ eventId, children }: EventLinkProps) {
  const { roomId } = useParams({ from: '/rooms/$roomId' });
  return (
    <TextLink
      to="/rooms/$roomId"
      params={{ roomId }}
      search={{ tab: 'messages', event: eventId }}
      size="sm"
      style={{ overflowWrap: 'anywhere' }}
    >
      {children ?? <bdi>{eventId}</bdi>}
    </TextLink>
  );
}
