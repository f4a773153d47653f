import type { FastifyRequest } from 'fastify';

/** How much longer `escapeOnce` makes a path at most. */
export const ESCAPED_GROWTH = 3;

/** U+FFFD, percent-encoded. */
const REPLACEMENT = '%EF%BF%BD';

/**
 * Escapes the escapes of a path: the router, which decodes before it compares, then compares what came
 * (behaviour.md 0.1), and leaves the segments to `segmentsOf`.
 */
export function escapeOnce(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return path.replaceAll('%', '%25') + url.slice(path.length);
}

/** The captured segments of a path, decoded; escapes that are no UTF-8, or no escapes at all, become U+FFFD. */
export function segmentsOf({ params }: FastifyRequest): Record<string, string> {
  const captured = Object.entries(params as Record<string, string>);
  return Object.fromEntries(captured.map(([name, segment]) => [name, decode(segment)]));
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return decodeURIComponent(repair(segment));
  }
}

function repair(segment: string): string {
  const escapes = segment.replace(/%(?![0-9a-fA-F]{2})/g, REPLACEMENT);
  return escapes.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    return encodeURIComponent(new TextDecoder().decode(bytes));
  });
}
