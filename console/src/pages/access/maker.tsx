import { TextLink } from '../../ui/link.tsx';
import { UserLink } from '../../ui/links.tsx';

const TOKEN = 'token:';

/** Who made something: a user, an automation token, or a client of services. */
export function Maker({ id }: { readonly id: string }) {
  if (id.startsWith('@')) return <UserLink id={id} />;
  if (!id.startsWith(TOKEN)) return <bdi>{id}</bdi>;
  return (
    <TextLink to="/access" search={{ tab: 'tokens', token: id.slice(TOKEN.length) }}>
      <bdi>{id}</bdi>
    </TextLink>
  );
}
