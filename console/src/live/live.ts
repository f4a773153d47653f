import type { StewardEvent } from '@steward/sdk';
import { followFeed } from './follow-feed.ts';
import type { LiveState, ToPage, ToWorker } from './messages.ts';

const stateListeners = new Set<() => void>();
const messageListeners = new Set<(message: ToPage) => void>();
let state: LiveState = 'ended';
let stop: (() => void) | undefined;

function receive(message: ToPage): void {
  if (message.kind === 'state') {
    state = message.state;
    for (const listener of stateListeners) listener();
  }
  for (const listener of messageListeners) listener(message);
}

/** The events of the feed in this page, which share one stream with the other pages of the browser. */
export const live = {
  state: (): LiveState => state,

  /** Calls the listener when the state changes. */
  subscribe(listener: () => void): () => void {
    stateListeners.add(listener);
    return () => stateListeners.delete(listener);
  },

  /** Calls the listener for what the stream says. */
  listen(listener: (message: ToPage) => void): () => void {
    messageListeners.add(listener);
    return () => messageListeners.delete(listener);
  },

  /** Calls the listener for each event. */
  onEvent(listener: (event: StewardEvent) => void): () => void {
    return live.listen((message) => {
      if (message.kind === 'event') listener(message.event);
    });
  },

  /** Begins to receive events, anew for another session. */
  start(): void {
    stop?.();
    stop = typeof SharedWorker === 'undefined' ? followHere() : followInWorker();
  },

  /** Receives no events any more. */
  stop(): void {
    stop?.();
    stop = undefined;
    receive({ kind: 'state', state: 'ended', changed: true });
  },
};

function followInWorker(): () => void {
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: 'steward-events',
  });
  const say = (message: ToWorker) => worker.port.postMessage(message);
  const show = (event: PageTransitionEvent) => event.persisted && say('start');
  const hide = () => say('close');
  worker.port.addEventListener('message', ({ data }: MessageEvent<ToPage>) => receive(data));
  worker.port.start();
  say('start');
  addEventListener('pagehide', hide);
  addEventListener('pageshow', show);
  return () => {
    say('close');
    worker.port.close();
    removeEventListener('pagehide', hide);
    removeEventListener('pageshow', show);
  };
}

/** Some browsers of telephones have no shared workers. */
function followHere(): () => void {
  const abort = new AbortController();
  void followFeed(receive, abort.signal);
  return () => abort.abort();
}
