import type { FastifyRequest } from 'fastify';

/** The maximum factor by which `escapeOnce` makes a path longer. */
export const ESCAPED_GROWTH = 3;

/** U+FFFD, percent-encoded. */
const REPLACEMENT = '%EF%BF%BD';

/**
 * Escapes the percent signs of a path. The router, which decodes before it compares, then compares the path as it was
 * sent (behaviour.md 0.1), and `segmentsOf` decodes the segments.
 */
export function escapeOnce(url: string): string {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return path.replaceAll('%', '%25') + url.slice(path.length);
}

/** The captured segments of a path, decoded; invalid escapes and invalid UTF-8 become U+FFFD. */
export function segmentsOf({ params }: Pick<FastifyRequest, 'params'>): Record<string, string> {
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
