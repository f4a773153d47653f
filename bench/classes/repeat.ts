import { type Load, load } from '../load.ts';
import type { RequestClass } from './classes.ts';
import type { Scale } from './scale.ts';
import type { ScaledServer } from './start-scale.ts';

let sent = 0;

/** The number of the next request of this run of the bench: each differs from the others. */
export function nextRequest(): number {
  return sent++;
}

/** Repeats the requests of classes, which alternate, for a time in seconds; at most `rate` a second if given. */
export function repeat(
  { server, tokens }: Pick<ScaledServer, 'server' | 'tokens'>,
  classes: readonly [RequestClass, ...RequestClass[]],
  scale: Scale,
  { seconds, rate }: { readonly seconds: number; readonly rate?: number },
): Promise<Load> {
  const setupRequest = (request: object) => {
    const n = nextRequest();
    const { token, ...next } = (classes[n % classes.length] ?? classes[0]).request(n, scale, tokens);
    return { ...request, ...next, headers: { authorization: `Bearer ${token}` } };
  };
  return load({
    url: server.url,
    duration: seconds,
    requests: [{ setupRequest }],
    ...(rate === undefined ? {} : { overallRate: rate }),
  });
}
