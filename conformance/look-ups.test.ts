import { path } from '@steward/testing';
import { describe, expect, it } from 'vitest';
import { chapter } from './chapter.ts';
import { refusal } from './refusal.ts';

const byExternalId = (provider: string, id: string) =>
  path`/_service/admin/v1/auth_providers/${provider}/users/${id}`;

const byThreepid = (medium: string, address: string) =>
  path`/_service/admin/v1/threepid/${medium}/users/${address}`;

const notFound = refusal(404, 'M_NOT_FOUND');

chapter('2.13, 2.14 Finding a user', (world) => {
  describe('by the id at a provider', () => {
    it('finds the exact pair', async () => {
      const id = { auth_provider: 'oidc', external_id: world.freshName('Sub') };
      const user = await world.account('x', { external_ids: [id] });
      const found = await world.admin.get(byExternalId('oidc', id.external_id));
      expect(found).toMatchObject({ status: 200, text: JSON.stringify({ user_id: user }) });
      for (const [provider, external] of [
        ['saml', id.external_id],
        ['OIDC', id.external_id],
        ['oidc', id.external_id.toLowerCase()],
        ['oidc', `${id.external_id} `],
        ['oidc', ''],
        ['', id.external_id],
      ] as const) {
        expect(await world.admin.get(byExternalId(provider, external))).toMatchObject(notFound);
      }
    });

    it('does not confuse provider and id', async () => {
      const user = await world.account('x', { external_ids: [{ auth_provider: 'a', external_id: 'b/c d' }] });
      const other = await world.account('y', {
        external_ids: [{ auth_provider: 'a b', external_id: 'c d' }],
      });
      expect((await world.admin.get(byExternalId('a', 'b/c d'))).body.user_id).toBe(user);
      expect((await world.admin.get(byExternalId('a b', 'c d'))).body.user_id).toBe(other);
      expect(await world.admin.get(byExternalId('a/b', 'c d'))).toMatchObject(notFound);
      expect(await world.admin.get(byExternalId('a b c', 'd'))).toMatchObject(notFound);
    });

    it('finds deactivated users as well', async () => {
      const external_id = world.freshName();
      const user = await world.account('x', { external_ids: [{ auth_provider: 'oidc', external_id }] });
      await world.admin.post(path`/_service/admin/v1/deactivate/${user}`);
      expect((await world.admin.get(byExternalId('oidc', external_id))).body.user_id).toBe(user);
    });
  });

  describe('by an address', () => {
    it('finds the exact address of the medium', async () => {
      const address = `${world.freshName('mail')}@example.org`;
      const number = '447700900123';
      const threepids = [
        { medium: 'email', address },
        { medium: 'msisdn', address: number },
      ];
      const user = await world.account('x', { threepids });
      const found = await world.admin.get(byThreepid('email', address));
      expect(found).toMatchObject({ status: 200, text: JSON.stringify({ user_id: user }) });
      expect((await world.admin.get(byThreepid('msisdn', number))).body.user_id).toBe(user);
      for (const [medium, other] of [
        ['msisdn', address],
        ['email', number],
        ['fax', address],
        ['', address],
        ['email', ''],
        ['msisdn', `+${number}`],
        ['email', address.slice(1)],
        ['email', 'no address'],
      ] as const) {
        expect(await world.admin.get(byThreepid(medium, other))).toMatchObject(notFound);
      }
    });

    it('no longer finds a removed address', async () => {
      const address = `${world.freshName('mail')}@example.org`;
      const user = await world.account('x', { threepids: [{ medium: 'email', address }] });
      await world.admin.put(path`/_service/admin/v2/users/${user}`, { body: { threepids: [] } });
      expect(await world.admin.get(byThreepid('email', address))).toMatchObject(notFound);
    });
  });
});
