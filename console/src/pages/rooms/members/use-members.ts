import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useRead } from '../../../api/use-read.ts';
import { asNumber, asObject, asText, readEvent } from '../room/room-event.ts';
import { useContent } from '../room/use-content.ts';

/** The memberships by which users of a room are listed. */
export const MEMBERSHIPS = ['join', 'invite', 'knock', 'ban', 'leave'] as const;

/** The relation of a user to a room. */
export type Membership = (typeof MEMBERSHIPS)[number];

/** A user of a room. */
export interface Member {
  readonly userId: string;
  /** Unknown without the state of the room. */
  readonly name: string | undefined;
  readonly power: number | undefined;
  readonly reason: string | undefined;
}

const MEMBER = 'm.room.member';
const POWER_LEVELS = 'm.room.power_levels';

/**
 * The users of a room with a membership. Who has joined is not content; the others, names and power levels are read from the
 * state of the room, which is.
 */
export function useMembers(roomId: string, membership: Membership, withState: boolean) {
  const usesState = withState || membership !== 'join';
  const joined = useRead('rooms.listMembers', { room_id: roomId }, { enabled: membership === 'join' });
  const state = useContent(roomId, 'rooms.listState', { room_id: roomId, type: MEMBER }, usesState);
  const levels = useContent(roomId, 'rooms.listState', { room_id: roomId, type: POWER_LEVELS }, usesState);
  const members = useMemo<readonly Member[]>(() => {
    const powerOf = readPowers(levels.data?.state[0]);
    if (!usesState || state.data === undefined) {
      if (membership !== 'join') return [];
      return (joined.data?.members ?? []).map((userId) => ({ userId, ...NOTHING }));
    }
    return state.data.state
      .map(readEvent)
      .filter(({ content, stateKey }) => content.membership === membership && stateKey !== undefined)
      .map(({ content, stateKey = '' }) => ({
        userId: stateKey,
        name: asText(content.displayname),
        power: powerOf(stateKey),
        reason: asText(content.reason),
      }))
      .sort((a, b) => (b.power ?? 0) - (a.power ?? 0) || (a.userId < b.userId ? -1 : 1));
  }, [membership, usesState, joined.data, state.data, levels.data]);
  const query: UseQueryResult<unknown, Error> = usesState ? state : joined;
  return { members, query };
}

const NOTHING = { name: undefined, power: undefined, reason: undefined };

function readPowers(source: unknown): (userId: string) => number | undefined {
  const { content, id } = readEvent(source);
  if (id === '') return () => undefined;
  const users = asObject(content.users);
  const usual = asNumber(content.users_default) ?? 0;
  return (userId) => (Object.hasOwn(users, userId) ? asNumber(users[userId]) : usual);
}
