import { defineAggregate } from '@steward/service';
import type { Deps } from '../deps.ts';
import type { AdmittedMembers } from '../model/admitted-members.ts';
import type { RoomEffect } from '../model/pending-effects.ts';
import type { Room } from '../model/room.ts';
import { applyEvents } from './apply-events.ts';
import { applyImports } from './apply-imports.ts';
import type { KnownDocuments } from './known-documents.ts';
import { recheckMembers } from './recheck-members.ts';

/**
 * The aggregate of rooms. In a loaded room only rechecks of members are still pending, so that events, state and
 * members are as of its `arrival` or newer.
 */
export const rooms = defineAggregate<Room, RoomEffect, Deps, KnownDocuments>({
  collection: (deps) => deps.rooms,
  effects: { event: applyEvents, import: applyImports, newcomers: recheckMembers },
  deferred: ['newcomers'],
});

/** Rechecks the members whom a commit has just admitted. Never rejects, because the next sweep retries. */
export async function recheckAdmitted(
  deps: Deps,
  room: Room,
  admittedMembers: AdmittedMembers,
): Promise<void> {
  await rooms.applyDeferred(deps, room, { admittedMembers }, [admittedMembers.recheck.id]).catch(() => {});
}
