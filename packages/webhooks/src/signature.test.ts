import { systemRandom } from '@steward/kernel';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { createSecret, parseSecret } from './secret.ts';
import { signatureHeaders } from './signature.ts';

const bytesOf = (secret: string) => parseSecret(secret) ?? expect.unreachable();

it('a signature is verified by receivers with any of the secrets that sign, and by no others', () => {
  const [current, former, other] = [1, 2, 3].map(() => createSecret(systemRandom)) as [
    string,
    string,
    string,
  ];
  const body = JSON.stringify({ type: 'user.created', data: { display_name: 'Zoë 🦊 \u2028' } });
  const message = { id: 'msg_1', timestampSeconds: Math.floor(Date.now() / 1_000), body };
  const headers = signatureHeaders(message, [bytesOf(current), bytesOf(former)]);
  for (const secret of [current, former])
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(other).verify(body, headers)).toThrow('No matching signature');
  expect(() => new Webhook(current).verify(`${body} `, headers)).toThrow('No matching signature');
  expect(() => new Webhook(current).verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
});

it('equals the example of a known secret, id, time and body', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
  const message = { id, timestampSeconds: 1_614_265_330, body: '{"test": 2432232314}' };
  expect(signatureHeaders(message, [bytesOf(secret)])).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});
