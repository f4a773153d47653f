import { MongoServerError, MongoServerSelectionError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { Unavailable, Unusable } from '../../port/errors.ts';
import { openMongoStore } from '../open.ts';
import { addressOf, connectError } from './connect-error.ts';

const URL = 'mongodb://user:secret@db.example:27017/steward?replicaSet=r';

describe('the address of a URL', () => {
  it.each([
    [URL, 'db.example:27017'],
    ['mongodb+srv://user:sec@ret@db.example/steward', 'db.example'],
    ['mongodb://user:sec/ret@one,two:2/', 'one,two:2'],
    ['mongodb://[::1]:1', '[::1]:1'],
  ])('%s has no credentials', (url, address) => {
    expect(addressOf(url)).toBe(address);
  });
});

describe('a failure to connect', () => {
  it('a failure to connect is worth another attempt when nothing answers', () => {
    const refused = new MongoServerSelectionError('connect ECONNREFUSED 192.0.2.1:27017', {} as never);
    expect(connectError(refused, URL)).toEqual(
      new Unavailable(
        'The database at db.example:27017 cannot be reached: connect ECONNREFUSED 192.0.2.1:27017',
      ),
    );
  });

  it('a failure to connect is final when the server refuses the credentials', () => {
    const error = connectError(new MongoServerError({ message: 'Authentication failed.', code: 18 }), URL);
    expect(error).toBeInstanceOf(Unusable);
    expect(error.message).toBe(
      'The database at db.example:27017 refuses the credentials: Authentication failed',
    );
  });

  it.each([
    'mongodb://user:secret@host:1:2/',
    'mongodb://user:sec@ret@host/',
    'mongodb://user:secret@host/?x=1',
    'mongodb://user:secret@host/%zz',
  ])('a failure to connect is final when the URL is %s', async (url) => {
    const error = await openMongoStore({ url }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Unusable);
    expect((error as Error).message).toMatch(/^The URL of the database at host.* cannot be used: .+$/);
    expect((error as Error).message).not.toMatch(/sec/);
  });
});
