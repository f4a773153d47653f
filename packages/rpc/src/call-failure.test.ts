import { Code, ConnectError } from '@connectrpc/connect';
import { describe, expect, it } from 'vitest';
import { isConnectionLost, neverHandled } from './call-failure.ts';

const ofNode = (connectCode: Code, code: string) =>
  new ConnectError(code, connectCode, undefined, [], Object.assign(new Error(code), { code }));

describe('a call whose connection was lost', () => {
  it.each([
    ofNode(Code.Aborted, 'ECONNRESET'),
    ofNode(Code.Internal, 'EPIPE'),
    ofNode(Code.Internal, 'ERR_HTTP2_SESSION_ERROR'),
    ofNode(Code.Internal, 'ERR_STREAM_PREMATURE_CLOSE'),
    new ConnectError('http/2 stream closed with error code CANCEL (0x8)', Code.Canceled),
  ])(
    'a call whose connection was lost is recognised under every name of the error, and may have been handled: %s',
    (error) => {
      expect(isConnectionLost(error)).toBe(true);
      expect(neverHandled(error)).toBe(false);
    },
  );

  it('differs from an error that the service returned, and from an unreadable answer', () => {
    const said = new ConnectError('The store is away', Code.Unavailable, {
      'content-type': 'application/proto',
    });
    expect(isConnectionLost(said)).toBe(false);
    expect(
      isConnectionLost(new ConnectError('cannot decode', Code.Internal, undefined, [], new Error())),
    ).toBe(false);
    expect(isConnectionLost(new TypeError('not ours'))).toBe(false);
  });
});

it.each(['ECONNREFUSED', 'EAI_AGAIN', 'ERR_HTTP2_GOAWAY_SESSION'])(
  'a call without a connection was not handled: %s',
  (code) => expect(neverHandled(ofNode(Code.Internal, code))).toBe(true),
);
