import { create, type DescMethodServerStreaming, setExtension } from '@bufbuild/protobuf';
import { MethodOptionsSchema } from '@bufbuild/protobuf/wkt';
import {
  createContextValues,
  type HandlerContext,
  type StreamRequest,
  type StreamResponse,
  type UnaryRequest,
} from '@connectrpc/connect';
import { refuse, toRefusal } from '@steward/errors';
import {
  Access,
  MethodRulesSchema,
  method as methodOption,
  Refusal,
} from '@steward/proto/steward/http/v1/annotations_pb.ts';
import { MediaService } from '@steward/proto/steward/media/v1/media_pb.ts';
import { describe, expect, it } from 'vitest';
import { waiveDeferred } from '../deferred.ts';
import { headers } from '../headers.ts';
import { defer } from './defer.ts';

/** A streaming method that declares to raise the refusal itself; the contract has none now. */
const method: DescMethodServerStreaming = (() => {
  const declared = MediaService.method.downloadPublicly;
  const options = create(MethodOptionsSchema);
  const rules = create(MethodRulesSchema, { access: Access.NONE, refusal: Refusal.BY_HANDLER });
  setExtension(options, methodOption, rules);
  return { ...declared, proto: { ...declared.proto, options } };
})();

const REFUSAL = { status: 400, errcode: 'M_BAD_JSON', message: 'A field is invalid' };

/** Reads the stream of a handler behind `defer`, as its caller does. */
async function read(handler: () => AsyncIterable<unknown>, refusal?: object) {
  const header = new Headers(
    refusal ? { [headers.deferredRefusal]: encodeURIComponent(JSON.stringify(refusal)) } : {},
  );
  const request = { stream: true, method, header, contextValues: createContextValues() };
  const received: unknown[] = [];
  try {
    const next = async () => ({ stream: true, message: handler() }) as unknown as StreamResponse;
    const { message } = await defer(next as never)(request as unknown as StreamRequest);
    for await (const one of message as AsyncIterable<unknown>) received.push(one);
  } catch (error) {
    return { received, errcode: toRefusal(error).errcode };
  }
  return { received, errcode: undefined };
}

describe('a stream whose handler is to raise the deferred refusal', () => {
  it('a stream whose handler is to raise the deferred refusal is refused before its first message, and its handler is ended', async () => {
    let ended = false;
    const handler = async function* () {
      try {
        yield 1;
        yield 2;
      } finally {
        ended = true;
      }
    };
    expect(await read(handler, REFUSAL)).toEqual({ received: [], errcode: 'M_BAD_JSON' });
    expect(ended).toBe(true);
  });

  it('a stream whose handler is to raise the deferred refusal is refused when it ends without a message', async () => {
    const handler = async function* () {};
    expect(await read(handler, REFUSAL)).toEqual({ received: [], errcode: 'M_BAD_JSON' });
  });

  it('a stream whose handler is to raise the deferred refusal is refused as the handler refuses it', async () => {
    const handler = async function* () {
      yield await Promise.reject(refuse.notFound('gone'));
    };
    expect(await read(handler, REFUSAL)).toEqual({ received: [], errcode: 'M_NOT_FOUND' });
  });

  it('passes when nothing was deferred', async () => {
    const handler = async function* () {
      yield 1;
      yield 2;
    };
    expect(await read(handler)).toEqual({ received: [1, 2], errcode: undefined });
  });
});

describe('a call whose handler is to raise the deferred refusal', () => {
  const header = new Headers({
    [headers.deferredRefusal]: encodeURIComponent(JSON.stringify(REFUSAL)),
  });
  const call = (handle: (context: HandlerContext) => void) => {
    const contextValues = createContextValues();
    const next = async () => {
      handle({ values: contextValues } as HandlerContext);
      return { stream: false, message: 'answered' };
    };
    return defer(next as never)({ method, header, contextValues } as unknown as UnaryRequest);
  };

  it('a call whose handler is to raise the deferred refusal is refused when the handler answers without having raised it', async () => {
    await expect(call(() => {})).rejects.toThrow(REFUSAL.message);
  });

  it('a call whose handler is to raise the deferred refusal is answered when the handler waives the refusal', async () => {
    expect(await call(waiveDeferred)).toMatchObject({ message: 'answered' });
  });
});
