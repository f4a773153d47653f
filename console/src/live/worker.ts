import { followFeed } from './follow-feed.ts';
import type { LiveState, ToPage, ToWorker } from './messages.ts';

// One stream of events for all pages of the browser: over HTTP/1.1 it opens six connections to an origin for all of them.
const scope = globalThis as unknown as {
  addEventListener(type: 'connect', listener: (event: MessageEvent) => void): void;
};

const ports = new Set<MessagePort>();
let following: AbortController | undefined;
let state: LiveState = 'ended';

scope.addEventListener('connect', ({ ports: [port] }) => {
  if (!port) return;
  port.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
    if (data === 'start') start(port);
    else close(port);
  });
  port.start();
});

function start(port: MessagePort): void {
  ports.add(port);
  if (following) {
    port.postMessage({ kind: 'state', state, changed: false } satisfies ToPage);
    return;
  }
  const current = new AbortController();
  following = current;
  void followFeed(broadcast, current.signal).finally(() => {
    if (following === current) following = undefined;
  });
}

function close(port: MessagePort): void {
  ports.delete(port);
  if (ports.size > 0) return;
  following?.abort();
  following = undefined;
}

function broadcast(message: ToPage): void {
  if (message.kind === 'state') state = message.state;
  for (const port of ports) port.postMessage(message);
}
