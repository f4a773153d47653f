import { expect, it } from 'vitest';
import { oneProcessChapter } from '../chapter.ts';
import { account, at, directoryOf, refused, SCOPES, tokenWith } from '../scim/directory.ts';

oneProcessChapter(
  'SCIM that deactivates and erases',
  (world) => {
    const directory = directoryOf(world);

    it('an inactive account is deactivated, can be active again without a password, and is erased when it is deleted', async () => {
      const { id } = (await directory.create({ userName: world.freshName('gone'), externalId: 'gone' })).body;
      const erasing = await tokenWith(world, [...SCOPES, 'users:erase']);
      const setActive = (value: boolean) => directory.patch(id, { op: 'replace', value: { active: value } });
      expect(await setActive(false)).toMatchObject({ status: 200, body: { active: false } });
      const deactivated = { status: 200, body: { deactivated: 1 } };
      expect(await world.admin.get(account(id))).toMatchObject(deactivated);
      expect(await directory.find('externalId eq "gone"')).toMatchObject({ body: { totalResults: 1 } });
      const sent = {
        userName: id.slice(1, id.indexOf(':')),
        emails: [{ value: 'gone@example.org' }],
        password: 'x',
      };
      const put = (active: boolean) => directory.send('PUT', at(id), { ...sent, active });
      expect((await put(false)).body).not.toHaveProperty('emails');
      expect(await put(true)).toMatchObject({ status: 200, body: { active: true, emails: [{}] } });
      expect(await setActive(false)).toMatchObject({ status: 200, body: { active: false } });
      expect(await setActive(true)).toMatchObject({ status: 200, body: { active: true } });
      expect(await directory.send('DELETE', at(id))).toMatchObject(refused(403));
      expect(await world.http('DELETE', at(id), { token: erasing })).toMatchObject({ status: 204 });
      expect(await directory.send('GET', at(id))).toMatchObject(refused(404));
      expect(await world.admin.get(account(id))).toMatchObject({ body: { erased: true } });
    });
  },
  { config: { scim: { inactive: 'deactivate', delete: 'erase' } } },
);

oneProcessChapter(
  'SCIM without stored passwords',
  (world) => {
    const directory = directoryOf(world);

    it('a password is ignored where the server stores none', async () => {
      const made = await directory.create({
        userName: world.freshName('none'),
        password: 'a password of it',
      });
      expect(made).toMatchObject({ status: 201 });
    });
  },
  { config: { passwords: { localdb_enabled: false } } },
);
