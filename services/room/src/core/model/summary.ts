import type { Summary } from './room.ts';

type Content = Readonly<Record<string, unknown>>;

/** A string that both engines can store and sort by; null for any other value. */
function usable(value: unknown): string | null {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0') ? value : null;
}

/** The part of the summary that comes from the content of a state event, by type. */
const READERS: Readonly<Record<string, (content: Content) => Partial<Summary>>> = {
  'm.room.create': (content) => ({
    room_type: usable(content.type),
    federatable: content['m.federate'] !== false,
  }),
  'm.room.name': (content) => {
    const name = usable(content.name);
    return { name, folded_name: name?.toLowerCase() ?? '' };
  },
  'm.room.canonical_alias': (content) => {
    const alias = usable(content.alias);
    return { canonical_alias: alias, folded_alias: localpartOf(alias ?? '').toLowerCase() };
  },
  'm.room.topic': (content) => ({ topic: usable(content.topic) }),
  'm.room.avatar': (content) => ({ avatar: usable(content.url) }),
  'm.room.join_rules': (content) => ({ join_rules: usable(content.join_rule) }),
  'm.room.guest_access': (content) => ({ guest_access: usable(content.guest_access) }),
  'm.room.history_visibility': (content) => ({ history_visibility: usable(content.history_visibility) }),
  'm.room.encryption': (content) => ({ encryption: usable(content.algorithm) }),
  'm.room.tombstone': (content) => ({
    tombstoned: true,
    replacement_room: usable(content.replacement_room),
  }),
};

/**
 * The changes of a room's summary by a state event that becomes current (behaviour.md 10.1).
 *
 * @param content the content as readers see it: redacted if the event is
 */
export function summarise(type: string, stateKey: string, content: Content): Partial<Summary> {
  if (stateKey !== '' || !Object.hasOwn(READERS, type)) return {};
  return READERS[type]?.(content) ?? {};
}

/** The text between `#` and the first `:`; empty if the alias has no such form. */
function localpartOf(alias: string): string {
  const colon = alias.indexOf(':');
  return alias.startsWith('#') && colon > 0 ? alias.slice(1, colon) : '';
}
