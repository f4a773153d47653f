import { path, sendHttp } from '@steward/testing';
import type { Change, Load } from './backup-load.ts';

const ADMIN = '/_service/admin';

/** The moment of a backup: not before the first time, and not after the second. */
export interface Cut {
  readonly after_ts: number;
  readonly before_ts: number;
}

/**
 * Compares a restored server with what the clients of the backed-up one were told: it must contain what one moment
 * contained. Returns the differences, a line each.
 */
export async function checkRestored(
  url: string,
  adminToken: string,
  load: Load,
  cut: Cut,
  backupEndedTs: number,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const get = async (at: string) => {
    const { body } = await sendHttp<Record<string, never>>(url, 'GET', ADMIN + at, { token: adminToken });
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the answers is known.
    return body as any;
  };
  const events = new Set<string>();
  for (let from = ''; ; ) {
    const page = await get(`${path`/v1/rooms/${load.room}/messages`}?dir=b&limit=100${from}`);
    for (const { event_id: id } of page.chunk) events.add(id);
    if (page.end === undefined) break;
    from = `&from=${encodeURIComponent(page.end)}`;
  }
  const members = new Set<string>((await get(path`/v1/rooms/${load.room}/members`)).members);
  const deactivated = new Set<string>();
  for (const { id } of load.deactivations) {
    const account = await get(path`/v2/users/${id}`);
    if (!account.deactivated) continue;
    deactivated.add(id);
    // The departure may have been on its way to the room when the documents were copied.
    if (members.has(id)) faults.push(`${id} is deactivated and still a member`);
  }

  /** What a moment contains was requested before it; what it lacks was answered after it. */
  let earliest = cut.after_ts;
  let latest = cut.before_ts;
  const compare = (kind: string, changes: readonly Change[], isThere: (id: string) => boolean) => {
    for (const { id, sentTs, answeredTs } of changes) {
      const there = isThere(id);
      if (there) earliest = Math.max(earliest, sentTs);
      else latest = Math.min(latest, answeredTs);
      if (there && sentTs > cut.before_ts) faults.push(`the ${kind} ${id} is later than the cut`);
      if (!there && answeredTs < cut.after_ts) faults.push(`the ${kind} ${id} is lost`);
    }
  };
  compare('message', load.messages, (id) => events.has(id));
  compare('deactivation', load.deactivations, (id) => deactivated.has(id));
  if (earliest > latest)
    faults.push(`the restored changes are of different moments: ${earliest} > ${latest}`);

  for (const { id, bytes, sentTs, answeredTs, deletion } of load.uploads) {
    const found = await fetch(`${url}/_proto/client/v1/media/download/${id}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    if (found.status === 200) {
      if (!Buffer.from(await found.arrayBuffer()).equals(bytes)) faults.push(`${id} has other bytes`);
      if (sentTs > cut.before_ts) faults.push(`the medium ${id} is later than the cut`);
      if ((deletion?.answeredTs ?? cut.after_ts) < cut.after_ts)
        faults.push(`${id} was deleted before the cut`);
    } else {
      const wasDeleted = deletion !== undefined && deletion.sentTs <= backupEndedTs;
      if (found.status !== 404) faults.push(`${id} answers ${found.status}`);
      if (!wasDeleted && answeredTs < cut.after_ts) faults.push(`the medium ${id} is lost`);
    }
  }
  return faults;
}
