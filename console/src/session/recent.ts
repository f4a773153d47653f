/** What the palette opens besides the pages of the navigation. */
export type ThingKind = 'user' | 'room' | 'report' | 'medium' | 'task';

/** A thing with a page of its own. */
export interface Thing {
  readonly kind: ThingKind;
  /** Its id; the content URI of a medium. */
  readonly id: string;
}

const KEY = 'steward.recent';
const KEPT = 5;
const KINDS: ReadonlySet<unknown> = new Set<ThingKind>(['user', 'room', 'report', 'medium', 'task']);

/** What a user opened last by the palette. Only this browser keeps it, as ids without names, until the user signs out. */
export const recent = {
  /** The last things, the latest first; none where another user opened them, whose session ended by itself. */
  of(userId: string): readonly Thing[] {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
      return isKept(kept) && kept.user === userId ? kept.things.filter(isThing) : [];
    } catch {
      return [];
    }
  },

  /** Notes that a user opens a thing. */
  note(userId: string, thing: Thing): void {
    const others = recent.of(userId).filter(({ kind, id }) => kind !== thing.kind || id !== thing.id);
    const things = [thing, ...others].slice(0, KEPT);
    localStorage.setItem(KEY, JSON.stringify({ user: userId, things }));
  },

  /** Forgets everything. */
  forget(): void {
    localStorage.removeItem(KEY);
  },
};

/** Another release of the console may have written something else. */
function isKept(value: unknown): value is { readonly user: unknown; readonly things: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'things' in value && Array.isArray(value.things);
}

function isThing(value: unknown): value is Thing {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, id } = value as Partial<Record<keyof Thing, unknown>>;
  return KINDS.has(kind) && typeof id === 'string';
}
