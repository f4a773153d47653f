import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { Membership } from '../protocol/mod.ts';
import { type ClientOptions, toClientEvents } from '../reading/client-events.ts';
import { sessionOf } from '../reading/transaction.ts';
import type { ReadAccess } from './read-access.ts';
import { membershipsAt, type Viewing, visibilityOf } from './visibility-of.ts';

/** An event that the viewer may see. */
export interface VisibleEvent {
  readonly document: EventDocument;
  /** Whether the viewer may see only its redacted form. */
  readonly isRedacted: boolean;
  /** The membership of the viewer right after it. */
  readonly membership: Membership;
}

/** The events of a room that are visible to a user who may read it, in their order. */
export async function visibleEvents(
  deps: Deps,
  documents: readonly EventDocument[],
  access: ReadAccess,
  viewer: string,
): Promise<readonly VisibleEvent[]> {
  const visibilities = await visibilityOf(deps, documents, access, viewer);
  const visible = documents.flatMap((document, index) => {
    const visibility = visibilities[index];
    return visibility === 'whole' || visibility === 'redacted'
      ? [{ document, isRedacted: visibility === 'redacted' }]
      : [];
  });
  const memberships = await membershipsAt(
    deps,
    visible.map(({ document }) => document),
    access,
    viewer,
  );
  return visible.map((event, index) => ({ ...event, membership: memberships[index] ?? 'leave' }));
}

/** The options for converting events of a room for a user who may read it. */
export function clientOptionsOf(deps: Deps, access: Viewing, caller: Requester): ClientOptions {
  return {
    session: sessionOf(caller),
    judgeReplaced: (replaced) => visibilityOf(deps, replaced, access, caller.userId),
  };
}

/** Converts visible events to the form that a client receives, as JSON text. */
export function showEvents(
  deps: Deps,
  events: readonly VisibleEvent[],
  options: ClientOptions,
): Promise<string[]> {
  const redacted = new Set(events.filter(({ isRedacted }) => isRedacted).map(({ document }) => document._id));
  const memberships = new Map(events.map(({ document, membership }) => [document._id, membership]));
  return toClientEvents(
    deps,
    events.map(({ document }) => document),
    { ...options, redacted, memberships },
  );
}
