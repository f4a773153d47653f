import { type Actor, path } from '@steward/testing';
import { expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { uploadFile, uriOf } from './media-files.ts';
import { refusal } from './refusal.ts';
import { MAX_AVATAR_BYTES as MAX_BYTES, strictServer } from './shared-settings.ts';

const forbidden = refusal(403, 'M_FORBIDDEN');

chapter(
  '2.2 Avatars with a configured size and types',
  (world) => {
    const upload = async (user: Actor, type: string, length: number) =>
      uriOf(world, await uploadFile(user, { type, bytes: 'x'.repeat(length) }));

    it('avatars with a configured size and types are set by users and administrators if they conform, and otherwise stay as they were', async () => {
      const user = await world.user();
      const own = path`/_proto/client/v3/profile/${user.userId}/avatar_url`;
      const account = path`/_service/admin/v2/users/${user.userId}`;
      const accepted = await upload(user, 'Image/PNG; a=b', MAX_BYTES);
      const refused = [
        await upload(user, 'image/png', MAX_BYTES + 1),
        await upload(user, 'image/gif', 1),
        'mxc://test/unknown',
        'mxc://elsewhere.example/medium',
      ];
      const puts = [
        (avatar_url: string) => user.put(own, { body: { avatar_url } }),
        (avatar_url: string) => world.admin.put(own, { body: { avatar_url } }),
        (avatar_url: string) => world.admin.put(account, { body: { avatar_url } }),
      ];
      for (const put of puts) {
        expect(await put(accepted)).toMatchObject({ status: 200 });
        for (const uri of refused) expect(await put(uri)).toMatchObject(forbidden);
        expect((await user.get(own)).body).toEqual({ avatar_url: accepted });
        expect(await put('')).toMatchObject({ status: 200 });
      }
      expect(await user.put(own, { body: { avatar_url: accepted } })).toMatchObject({ status: 200 });
      await world.admin.delete(`/_service/admin/v1/media/${accepted.slice('mxc://'.length)}`);
      // Tools send back the whole account, whose avatar may not conform any more.
      const unchanged = { avatar_url: accepted, displayname: 'New' };
      expect(await world.admin.put(account, { body: unchanged })).toMatchObject({ status: 200 });
      expect(await user.put(own, { body: { avatar_url: accepted } })).toMatchObject(forbidden);
    });

    it('avatars with a configured size and types are refused before the account of which they are to be the avatar is created', async () => {
      const account = path`/_service/admin/v2/users/${world.userId(world.freshName())}`;
      const put = (avatar_url: string) => world.admin.put(account, { body: { avatar_url } });
      expect(await put('mxc://test/unknown')).toMatchObject(forbidden);
      expect(await world.admin.get(account)).toMatchObject(refusal(404, 'M_NOT_FOUND'));
      expect(await put(await upload(world.admin, 'image/png', 1))).toMatchObject({ status: 201 });
    });
  },
  { config: strictServer },
);
