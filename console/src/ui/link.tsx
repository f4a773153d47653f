import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type OfAnchor = Omit<ComponentPropsWithRef<'a'>, 'color' | 'style'>;

/** A link to a page of the console in a text. */
export const TextLink = createLink((props: AnchorProps & OfAnchor) => <Anchor inherit {...props} />);

/** A link to a page of the console that looks like a button. */
export const ButtonLink = createLink((props: ButtonProps & OfAnchor) => <Button component="a" {...props} />);

/** A link in the navigation. */
export const NavigationLink = createLink((props: NavLinkProps & OfAnchor) => (
  <NavLink component="a" {...props} />
));
