import { expect, it } from 'vitest';
import { clientOptions } from './limits.ts';

it('prefers the limits that a URL states', () => {
  const options = clientOptions('mongodb://a,b/x?maxpoolsize=8&replicaSet=r');
  expect(options).not.toHaveProperty('maxPoolSize');
  expect(options).toHaveProperty('waitQueueTimeoutMS');
});

it('keeps the guarantees of the port', () => {
  expect(clientOptions('mongodb://a/?w=1&journal=false&readPreference=nearest')).toMatchObject({
    ignoreUndefined: true,
    readPreference: 'primary',
    writeConcern: { w: 'majority', journal: true },
  });
});
