import type { Deps } from '../deps.ts';
import { toClientEvents } from '../reading/client-events.ts';
import { bundlesOf } from './bundles.ts';
import type { ShowOptions, VisibleEvent } from './visible-events.ts';

/**
 * Converts visible events to the form that a client receives, as JSON text, with summaries of the events that relate to
 * them (client-plane.md 12).
 */
export async function showEvents(
  deps: Deps,
  events: readonly VisibleEvent[],
  options: ShowOptions,
): Promise<string[]> {
  const redacted = new Set(events.filter(({ isRedacted }) => isRedacted).map(({ document }) => document._id));
  const memberships = new Map(events.map(({ document, membership }) => [document._id, membership]));
  const relations = options.form === 'federation' ? undefined : await bundlesOf(deps, events, options);
  return toClientEvents(
    deps,
    events.map(({ document }) => document),
    { ...options, redacted, memberships, ...(relations ? { relations } : {}) },
  );
}
