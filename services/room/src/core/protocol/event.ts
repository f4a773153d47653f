import { type JsonObject, ownString } from '@steward/kernel';
import type { RoomVersion } from './room-versions.ts';

/** A reference to another event; with its hash in the versions that want one. */
export type EventReference = string | readonly [eventId: string, hashes: { readonly sha256?: string }];

/** What its sender makes up of an event. Every stored event is one too. */
export interface EventDraft {
  readonly type: string;
  readonly content: JsonObject;
  readonly sender: string;
  /** Its presence, even empty, makes it a state event. */
  readonly state_key?: string;
  /** What a redaction redacts, in versions that do not have it in the content. */
  readonly redacts?: string;
}

/** An event as it is stored, hashed and signed: the federation form (client-plane.md 4.1). */
export interface StoredEvent extends EventDraft {
  /** Absent from the create event of rooms whose id is its hash. */
  readonly room_id?: string;
  /** Only in versions whose event ids are made up. */
  readonly event_id?: string;
  /** Milliseconds since the Unix epoch. */
  readonly origin_server_ts: number;
  readonly prev_events: readonly EventReference[];
  readonly auth_events: readonly EventReference[];
  /** One more than the deepest of `prev_events`; 1 for the create event. */
  readonly depth: number;
  /** Imported events may lack hashes and signatures. */
  readonly hashes?: { readonly sha256: string };
  /** By server name and key id. */
  readonly signatures?: { readonly [serverName: string]: { readonly [keyId: string]: string } };
  readonly unsigned?: JsonObject;
  /** Never written by steward, kept when imported. */
  readonly origin?: string;
  readonly prev_state?: readonly unknown[];
  readonly membership?: string;
}

/** An event with what is known of it beside its own JSON. */
export interface RoomEvent {
  readonly eventId: string;
  readonly roomId: string;
  readonly roomVersion: string;
  readonly event: StoredEvent;
  /** Its place in the room's order of arrival, once it has one. */
  readonly arrival?: number;
}

/** The event that is a room's state under a type and key, redacted where it has been. */
export type StateLookup = (type: string, stateKey: string) => RoomEvent | undefined;

/** What somebody can be in a room. */
export type Membership = 'ban' | 'invite' | 'join' | 'knock' | 'leave';

const MEMBERSHIPS: ReadonlySet<unknown> = new Set<Membership>(['ban', 'invite', 'join', 'knock', 'leave']);

/** Whether a value of a member event's content is a membership. */
export function isMembership(value: unknown): value is Membership {
  return MEMBERSHIPS.has(value);
}

/** What a state says that somebody is; `undefined` for who was never a member. */
export function membershipOf(state: StateLookup, userId: string): Membership | undefined {
  const membership = ownString(state('m.room.member', userId)?.event.content, 'membership');
  return isMembership(membership) ? membership : undefined;
}

/** The join rule of a state, `invite` where it has none (client-plane.md 5.3). */
export function joinRuleOf(state: StateLookup): string {
  return ownString(state('m.room.join_rules', '')?.event.content, 'join_rule') ?? 'invite';
}

/** The id of the event that a redaction redacts, from the place where its version has it. */
export function redactedIdOf(event: EventDraft, version: RoomVersion): string | undefined {
  return version.redactsInContent ? ownString(event.content, 'redacts') : event.redacts;
}
