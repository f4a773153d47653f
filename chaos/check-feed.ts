import type { KeepAliveClient } from '@steward/topology/testing';

/** An administrator's request that was answered with success. */
export interface AcknowledgedRequest {
  readonly requestId: string;
  /** Its first target. */
  readonly target: string;
}

interface FeedEvent {
  readonly id: string;
  readonly position: number;
  readonly request_id: string | null;
}

/**
 * Compares the feed with requests that were answered: each has one event, and those of a target are in the order of their
 * answers; positions have no gap, and ids are unique.
 *
 * @param acknowledged in the order of the answers for each target
 * @returns a line for each fault
 */
export async function checkFeed(
  http: KeepAliveClient,
  adminToken: string,
  acknowledged: readonly AcknowledgedRequest[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  const positions = new Map<string, number[]>();
  const ids = new Set<string>();
  for (let after = 0; ; ) {
    const path = `/_service/admin/v1/events?limit=1000&after=${after}`;
    const { status, text, body } = await http.send('GET', path, { token: adminToken });
    if (status !== 200) return [`GET ${path}: ${status} ${text}`];
    const events: readonly FeedEvent[] = body.events;
    for (const { id, position, request_id: request } of events) {
      if (position !== ++after) faults.push(`the event ${id} is at ${position}, not ${after}`);
      if (ids.has(id)) faults.push(`the event ${id} is there twice`);
      ids.add(id);
      if (request !== null) positions.set(request, [...(positions.get(request) ?? []), position]);
    }
    if (after >= body.latest || events.length === 0) break;
  }
  const last = new Map<string, number>();
  for (const { requestId, target } of acknowledged) {
    const [position, ...more] = positions.get(requestId) ?? [];
    if (position === undefined || more.length > 0) {
      faults.push(`${requestId} about ${target} has ${more.length + (position ? 1 : 0)} events`);
      continue;
    }
    if (position < (last.get(target) ?? 0))
      faults.push(`${requestId} about ${target} is too early: ${position}`);
    last.set(target, position);
  }
  return faults;
}
