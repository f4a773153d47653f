import { EventEmitter } from 'node:events';
import type { Http2ServerRequest } from 'node:http2';
import type { HandlerContext } from '@connectrpc/connect';
import { expect, it } from 'vitest';
import { admitClients } from './admit-clients.ts';
import { headers } from './headers.ts';
import { reasonOf } from './reason.ts';

/** The headers of a call of a client as its handler sees them. */
function admitted(sent: Readonly<Record<string, string>>): Headers {
  const client = { name: 'cron', scopes: [] };
  const admission = admitClients(() => client, { requestId: () => 'id', onUnreadable: () => {} });
  const stream = Object.assign(new EventEmitter(), { setTimeout() {} });
  const values = admission.contextValues({ headers: {}, stream } as unknown as Http2ServerRequest);
  const requestHeader = new Headers(sent);
  const call = { requestHeader, responseHeader: new Headers(), values };
  admission.requestGate(call as unknown as HandlerContext);
  return requestHeader;
}

it('takes a reason from the header that all clients use, and from no other one', () => {
  expect(reasonOf(admitted({ 'x-steward-reason': 'nightly%20run' }))).toBe('nightly run');
  expect(reasonOf(admitted({ [headers.reason]: 'forged' }))).toBe('');
  expect(() => admitted({ 'x-steward-reason': 'a%0Ab' })).toThrow('control characters');
});
