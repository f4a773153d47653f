import { type GetMeResponse, StewardError } from '@steward/sdk';
import { client } from '../client/client.ts';
import { recent } from './recent.ts';

/** Who uses the console, and what they may do. */
export type Me = GetMeResponse;

/** The administrator session of this browser. */
export type SessionState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'unreachable'; readonly error: unknown }
  | { readonly kind: 'signed-out' }
  /** `ended`: the session ended while it was used. What is on the page stays until its user signs in again. */
  | { readonly kind: 'signed-in'; readonly me: Me; readonly ended: boolean };

/** Whether this browser signed in before. The cookie, which no script can read, is the credential. */
const HINT = 'steward.signed-in';
const CHANNEL = 'steward-session';
const UNAUTHENTICATED = 401;

const listeners = new Set<() => void>();
const channel = new BroadcastChannel(CHANNEL);
let state: SessionState = { kind: 'loading' };

channel.addEventListener('message', ({ data }: MessageEvent<'signed-in' | 'signed-out'>) => {
  if (data === 'signed-in') void session.load();
  else set({ kind: 'signed-out' });
});

function set(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The session as a store of state that components follow, and the changes of it. */
export const session = {
  get: (): SessionState => state,

  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  /** Finds out whether the cookie of this browser is of a session. */
  async load(): Promise<void> {
    // Without the hint the request would only be refused, which the browser reports as an error.
    if (localStorage.getItem(HINT) === null) return set({ kind: 'signed-out' });
    try {
      set({ kind: 'signed-in', me: await client.me.get({}), ended: false });
    } catch (error) {
      const refused = error instanceof StewardError && error.status === UNAUTHENTICATED;
      if (refused) localStorage.removeItem(HINT);
      set(refused ? { kind: 'signed-out' } : { kind: 'unreachable', error });
    }
  },

  /** Takes over the session that a sign-in has started. */
  async begin(): Promise<void> {
    localStorage.setItem(HINT, '');
    set({ kind: 'signed-in', me: await client.me.get({}), ended: false });
    channel.postMessage('signed-in');
  },

  /** Reads again what the user may do. */
  async refresh(): Promise<void> {
    if (state.kind !== 'signed-in') return;
    set({ kind: 'signed-in', me: await client.me.get({}), ended: false });
  },

  /** Notes that the server does not know the session any more. */
  expire(): void {
    if (state.kind === 'signed-in' && !state.ended) set({ ...state, ended: true });
  },

  /** Ends the session. */
  async end(): Promise<void> {
    try {
      await client.sessions.end({});
    } catch (error) {
      if (!(error instanceof StewardError) || error.status !== UNAUTHENTICATED) throw error;
    }
    localStorage.removeItem(HINT);
    recent.forget();
    channel.postMessage('signed-out');
    set({ kind: 'signed-out' });
  },
};
