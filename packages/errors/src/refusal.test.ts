import { Code, ConnectError } from '@connectrpc/connect';
import { ErrorInfoSchema } from '@steward/proto/google/rpc/error_details_pb.ts';
import { describe, expect, it } from 'vitest';
import { interactiveAuth, refuse, toBody, toRefusal } from './mod.ts';

describe('a refusal', () => {
  it.each(Object.entries(refuse))('%s is unchanged by Connect', (_, make) => {
    const error = make('the text');
    const refusal = toRefusal(error);
    expect(toBody(refusal)).toMatchObject({ errcode: refusal.errcode, error: 'the text' });
    expect(refusal.status).toBeGreaterThanOrEqual(400);
  });

  it('has its errcode as the reason for gRPC callers', () => {
    const [info] = refuse.conflict('taken').findDetails(ErrorInfoSchema);
    expect(info).toMatchObject({ reason: 'M_UNKNOWN', domain: 'steward', metadata: { http_status: '409' } });
    expect(refuse.conflict('taken').code).toBe(Code.AlreadyExists);
  });
});

describe('the challenge of user-interactive authentication', () => {
  const challenge = { flows: [{ stages: ['m.login.dummy'] }], params: {}, session: 's' };

  it('has no errcode at first', () => {
    const refusal = toRefusal(interactiveAuth(challenge));
    expect(refusal.status).toBe(401);
    expect(toBody(refusal)).toEqual(challenge);
  });

  it('states why a stage failed', () => {
    const failed = interactiveAuth(
      { ...challenge, completed: [] },
      { errcode: 'M_FORBIDDEN', message: 'wrong' },
    );
    expect(toBody(toRefusal(failed))).toEqual({
      ...challenge,
      completed: [],
      errcode: 'M_FORBIDDEN',
      error: 'wrong',
    });
  });
});

describe('an error that is not a refusal', () => {
  it.each([
    [new Error('secret'), 500],
    ['secret', 500],
    [new ConnectError('secret', Code.Internal), 500],
    [new ConnectError('secret', Code.DeadlineExceeded), 504],
    [new ConnectError('secret', Code.Unavailable), 503],
  ])('does not reveal its cause: %s', (error, status) => {
    const refusal = toRefusal(error);
    expect(refusal).toMatchObject({ status, errcode: 'M_UNKNOWN' });
    expect(JSON.stringify(toBody(refusal))).not.toContain('secret');
  });
});
