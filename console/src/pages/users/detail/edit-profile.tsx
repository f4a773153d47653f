import { Autocomplete, Stack, TextInput } from '@mantine/core';
import type { User } from '@steward/sdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Params } from '../../../client/operation.ts';
import { cleanText } from '../../../ui/input/clean-text.ts';
import { IdInput } from '../../../ui/input/id-input.tsx';
import { USER_TYPES } from '../user-types.ts';
import { AccountOrderButton } from './account-order-button.tsx';

const CONTENT_URI = /^mxc:\/\/[^/]+\/[^/]+$/;

/** Changes the display name, the avatar and the type of an account. Only what was changed is sent. */
export function EditProfile({ user }: { readonly user: User }) {
  const { t } = useTranslation('users');
  const [displayname, setDisplayname] = useState<string>();
  const [avatar, setAvatar] = useState<string>();
  const [type, setType] = useState<string>();
  const reset = () => {
    setDisplayname(undefined);
    setAvatar(undefined);
    setType(undefined);
  };
  const avatarIsWrong = avatar !== undefined && avatar !== '' && !CONTENT_URI.test(avatar);
  const changed = {
    ...(displayname === undefined || displayname === (user.displayname ?? '') ? {} : { displayname }),
    ...(avatar === undefined || avatar === (user.avatar_url ?? '') ? {} : { avatar_url: avatar }),
    ...(type === undefined || type === (user.user_type ?? '') ? {} : { user_type: type || null }),
  };
  const params: Params<'users.put'> | undefined =
    avatarIsWrong || Object.keys(changed).length === 0 ? undefined : { user_id: user.name, ...changed };
  return (
    <AccountOrderButton
      userId={user.name}
      operation="users.put"
      title={t('orders.edit_profile.title')}
      text={t('edit')}
      consequences={[t('orders.edit_profile.effect')]}
      params={params}
      onDone={reset}
    >
      <Stack gap="sm">
        <TextInput
          label={t('displayname')}
          description={t('empty_removes')}
          value={displayname ?? user.displayname ?? ''}
          maxLength={256}
          onChange={(event) => setDisplayname(event.currentTarget.value)}
        />
        <IdInput
          label={t('avatar')}
          description={t('empty_removes')}
          placeholder="mxc://server/id"
          value={avatar ?? user.avatar_url ?? ''}
          maxLength={1_000}
          error={avatarIsWrong ? t('avatar_wrong') : undefined}
          onValue={setAvatar}
        />
        <Autocomplete
          label={t('user_type')}
          description={t('type_hint')}
          data={USER_TYPES}
          value={type ?? user.user_type ?? ''}
          onChange={(next) => setType(cleanText(next))}
        />
      </Stack>
    </AccountOrderButton>
  );
}
