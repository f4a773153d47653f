import { Badge, Group } from '@mantine/core';
import type { User, UserListEntry } from '@steward/sdk';
import { useTranslation } from 'react-i18next';

/** The states of an account that lists and details say; `suspended` is in the details only. */
export type StatesOfUser = Pick<
  User | UserListEntry,
  'admin' | 'is_guest' | 'locked' | 'shadow_banned' | 'deactivated' | 'erased' | 'approved'
> & { readonly suspended?: boolean };

const COLOURS = {
  admin: 'blue',
  guest: 'gray',
  locked: 'orange',
  suspended: 'orange',
  shadow_banned: 'grape',
  deactivated: 'gray',
  erased: 'red',
  awaits_approval: 'green',
} as const;

/** Returns the states of an account that differ from those of an ordinary one. */
export function statesOf(user: StatesOfUser): readonly (keyof typeof COLOURS)[] {
  const states = {
    admin: user.admin === 1,
    guest: user.is_guest === 1,
    locked: user.locked,
    suspended: user.suspended === true,
    shadow_banned: user.shadow_banned === 1,
    // An erased account is deactivated, too.
    deactivated: user.deactivated === 1 && !user.erased,
    erased: user.erased,
    awaits_approval: user.approved === false,
  };
  return (Object.keys(states) as (keyof typeof states)[]).filter((state) => states[state]);
}

/** The states of an account that differ from those of an ordinary one, as badges. */
export function UserStates({ user, wrap = false }: { readonly user: StatesOfUser; readonly wrap?: boolean }) {
  const { t } = useTranslation('users');
  const states = statesOf(user);
  if (states.length === 0) return null;
  return (
    <Group gap={4} wrap={wrap ? 'wrap' : 'nowrap'}>
      {states.map((state) => (
        <Badge key={state} color={COLOURS[state]} variant="outline" size="sm" tt="none" style={NO_SHRINK}>
          {t(`state.${state}`)}
        </Badge>
      ))}
    </Group>
  );
}

const NO_SHRINK = { flexShrink: 0 } as const;
