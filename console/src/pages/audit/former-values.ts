import type { AuditEntry } from '@steward/sdk';

/** The value that a field had before, and the entry that says so. */
export interface Former {
  readonly value: unknown;
  readonly entry: AuditEntry;
}

/** The fields of a request; none of a request that is not an object. */
export function fieldsOf({ request }: AuditEntry): Readonly<Record<string, unknown>> {
  return typeof request === 'object' && request !== null && !Array.isArray(request)
    ? (request as Record<string, unknown>)
    : {};
}

/** What an action is about: `role` for `user.create_role` and `user.update_role`. */
function objectOf(action: string): string {
  const [service = '', method = ''] = action.split('.');
  return `${service}.${method.slice(method.indexOf('_') + 1)}`;
}

/**
 * Finds, for each field that a request set, the value that an earlier request set: the entries record what was requested, not
 * what it replaced.
 *
 * @param earlier entries about the same target before it, newest first
 */
export function formerValues(entry: AuditEntry, earlier: readonly AuditEntry[]): ReadonlyMap<string, Former> {
  const former = new Map<string, Former>();
  const object = objectOf(entry.action);
  const names = Object.keys(fieldsOf(entry));
  for (const each of earlier) {
    if (each.id >= entry.id || each.outcome !== 'ok' || objectOf(each.action) !== object) continue;
    const fields = fieldsOf(each);
    for (const name of names) {
      if (name in fields && !former.has(name)) former.set(name, { value: fields[name], entry: each });
    }
  }
  return former;
}
