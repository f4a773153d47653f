import { describe, expect, it } from 'vitest';
import { type DocumentedEndpoint, documentedEndpoints } from '../documented-endpoints.ts';
import { knownGaps } from '../known-gaps.ts';
import { refusal } from '../refusal.ts';
import { fill, served, shapeOf } from '../served.ts';
import { gatewayChapter } from './gateway-chapter.ts';

const key = (verb: string, path: string) => `${verb} ${shapeOf(path)}`;
const keysOf = (endpoints: readonly DocumentedEndpoint[]) =>
  new Set(endpoints.map(({ verb, path }) => key(verb, path)));

const documented = keysOf(documentedEndpoints);
const gaps = keysOf(knownGaps);
const bound = new Set(served.map(({ verb, template }) => key(verb, template)));
const boundPaths = new Set(served.map(({ template }) => shapeOf(template)));

describe('every documented endpoint', () => {
  it('every documented endpoint is served or a known gap', () => {
    expect([...documented].filter((endpoint) => !bound.has(endpoint) && !gaps.has(endpoint))).toEqual([]);
  });

  it('every documented endpoint is not both', () => {
    expect([...gaps].filter((endpoint) => bound.has(endpoint))).toEqual([]);
  });

  it('every documented endpoint is listed once', () => {
    expect([documentedEndpoints.length, knownGaps.length]).toEqual([documented.size, gaps.size]);
  });
});

it('only documented endpoints are served or known gaps', () => {
  expect([...bound, ...gaps].filter((endpoint) => !documented.has(endpoint))).toEqual([]);
});

// Vitest refuses a chapter without a case.
if (knownGaps.length > 0) {
  gatewayChapter('Known gaps', (gateway) => {
    it.each(knownGaps)('$chapter: $verb $path', async ({ verb, path }) => {
      const target = fill(path, (variable) => (variable === 'user_id' ? '@x:test' : 'x'));
      const status = boundPaths.has(shapeOf(path)) ? 405 : 404;
      for (const request of [{}, { token: gateway.admin.token, body: {} }]) {
        expect(await gateway.http(verb, target, request)).toMatchObject(refusal(status, 'M_UNRECOGNIZED'));
      }
    });
  });
}
