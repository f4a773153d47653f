import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

chapter('11.1 The server version', (world) => {
  const VERSION = '/_service/admin/v1/server_version';

  it('the server version is shown to administrators', async () => {
    expect(await world.admin.get(VERSION)).toMatchObject({
      status: 200,
      body: { server_version: expect.stringMatching(/\d/) },
    });
    expect(Object.keys((await world.admin.get(VERSION)).body)).toEqual(['server_version']);
  });

  it('the server version is refused to all others', async () => {
    expect(await world.http('GET', VERSION)).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
    expect(await (await world.user()).get(VERSION)).toMatchObject(refusal(403, 'M_FORBIDDEN'));
  });
});

chapter('7.1 The versions of the client API', (world) => {
  const VERSIONS = '/_proto/client/versions';

  it('the versions of the client API are shown to anyone', async () => {
    const { status, body } = await world.http<{ versions: string[] }>('GET', VERSIONS);
    expect(status).toBe(200);
    expect(body).toMatchObject({ unstable_features: expect.any(Object) });
    const minors = Array.from({ length: 11 }, (_, i) => `v1.${i + 1}`);
    expect(body.versions).toEqual(['r0.6.1', ...minors]);
  });

  describe('a token in the request', () => {
    it('must be known', async () => {
      expect(await world.http('GET', VERSIONS, { token: 'nobody' })).toMatchObject(
        refusal(401, 'M_UNKNOWN_TOKEN', { soft_logout: false }),
      );
    });

    it('must be well-formed', async () => {
      const headers = { authorization: 'Basic x' };
      expect(await world.http('GET', VERSIONS, { headers })).toMatchObject(refusal(401, 'M_MISSING_TOKEN'));
    });

    it('may belong to a locked account', async () => {
      const user = await world.user();
      const target = `/_service/admin/v2/users/${encodeURIComponent(user.userId)}`;
      await world.admin.put(target, { body: { locked: true } });
      expect(await user.get(VERSIONS)).toMatchObject({ status: 200 });
    });

    it('may have expired', async ({ skip }) => {
      if (!world.seed) return skip('the set-up cannot make tokens that expire');
      const { userId } = await world.user();
      const token = await world.seed.token({ userId, validUntilMs: 1 });
      expect(await world.http('GET', VERSIONS, { token })).toMatchObject({ status: 200 });
    });
  });
});
