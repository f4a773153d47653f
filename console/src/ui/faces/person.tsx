import { Badge } from '@mantine/core';
import type { UserName } from '@steward/sdk';
import { useTranslation } from 'react-i18next';
import { useUserName } from '../../api/use-names.ts';
import { UserLink } from '../links.tsx';
import { titleOfUser } from '../titles.ts';
import { Avatar } from './avatar.tsx';
import { Face } from './face.tsx';

interface PersonProps {
  readonly id: string;
  /** Their name, where the page knows it; looked up when unset. */
  readonly known?: Pick<UserName, 'displayname' | 'avatar_url'>;
}

/** A user with their picture, name and state, as a link to their page if the reader may open it. */
export function Person({ id, known }: PersonProps) {
  const found = useUserName(id, known === undefined);
  const user = known ?? found;
  const name = titleOfUser(id, user);
  return (
    <UserLink id={id}>
      <Face
        avatar={<Avatar uri={user?.avatar_url} name={name.replace(/^@/, '')} />}
        name={name}
        id={name === id ? undefined : id}
        marks={found && <States user={found} />}
      />
    </UserLink>
  );
}

/** The states of an account that who acts should know of. */
function States({ user }: { readonly user: UserName }) {
  const { t } = useTranslation();
  const states = (['deactivated', 'locked', 'suspended'] as const).filter((state) => user[state]);
  return states.map((state) => (
    <Badge
      key={state}
      color={state === 'deactivated' ? 'gray' : 'orange'}
      variant="outline"
      size="xs"
      tt="none"
    >
      {t(`face.${state}`)}
    </Badge>
  ));
}
