import type { Requester } from '@steward/rpc';
import type { Deps } from '../deps.ts';
import type { EventDocument } from '../model/event-document.ts';
import type { Membership } from '../protocol/mod.ts';
import type { ClientOptions } from '../reading/client-events.ts';
import { sessionOf } from '../reading/transaction.ts';
import type { ReadAccess } from './read-access.ts';
import { membershipsAt, visibilityOf } from './visibility-of.ts';

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

/** How events are shown to a user who may read their room. */
export interface ShowOptions extends ClientOptions {
  readonly access: ReadAccess;
  readonly userId: string;
}

/** The options for converting events of a room for a user who may read it. */
export function clientOptionsOf(deps: Deps, access: ReadAccess, caller: Requester): ShowOptions {
  return {
    access,
    userId: caller.userId,
    session: sessionOf(caller),
    judgeReplaced: (replaced) => visibilityOf(deps, replaced, access, caller.userId),
  };
}
