import { StewardError } from '@steward/sdk';
import { client } from '../client/client.ts';
import type { LiveState, ToPage } from './messages.ts';

const GONE = 410;
/** The session has ended, or has no scope for events any more. */
const REFUSED = new Set([401, 403]);
const PAUSE_MS = 2_000;

/**
 * Follows the feed until the signal, or until the session does not permit it any more, and reports each event. After
 * positions that the server does not have any more it goes on at the present end.
 */
export async function followFeed(report: (message: ToPage) => void, signal: AbortSignal): Promise<void> {
  const tell = (state: LiveState) => report({ kind: 'state', state, changed: true });
  tell('connecting');
  while (!signal.aborted) {
    try {
      const events = client.events.subscribe(
        {},
        {
          signal,
          onConnect: () => tell('connected'),
          onReconnect: () => tell('reconnecting'),
        },
      );
      for await (const event of events) report({ kind: 'event', event });
    } catch (error) {
      if (signal.aborted) return;
      const status = error instanceof StewardError ? error.status : 0;
      if (REFUSED.has(status)) return tell('ended');
      if (status === GONE) report({ kind: 'missed' });
      tell('reconnecting');
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
