import { AppShell, Box, Burger, Group, ScrollArea, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../api/use-can.ts';
import { PaletteButton } from '../palette/palette-button.tsx';
import { EnrolmentBanner } from '../sign-in/enrolment-banner.tsx';
import { SuspendedBanner } from '../sign-in/suspended-banner.tsx';
import { NavigationLink } from '../ui/link.tsx';
import { AccountMenu } from './account-menu.tsx';
import { LiveBadge } from './live-badge.tsx';
import { DESTINATIONS } from './navigation.ts';
import { OfflineBanner } from './offline-banner.tsx';

const HEADER_PX = 56;
const NAVBAR_PX = 210;

/** What surrounds every page: the navigation, the search, the state of the stream of events, and the account. */
export function Shell() {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure();
  const can = useCan();
  const { pathname } = useLocation();
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation(main);
  const open = DESTINATIONS.filter(({ isOpen }) => isOpen(can));
  return (
    <AppShell
      header={{ height: HEADER_PX }}
      navbar={{ width: NAVBAR_PX, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#content" className="skip-link">
        {t('nav.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? t('nav.close') : t('nav.open')}
              aria-expanded={opened}
            />
            <Text fw={700} component="span">
              steward
            </Text>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton pages={open} />
            <LiveBadge />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('nav.label')}>
        <AppShell.Section grow component={ScrollArea}>
          {open.map(({ key, to, icon: Icon }) => {
            const active = to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`);
            return (
              <NavigationLink
                key={key}
                to={to}
                label={t(`nav.${key}`)}
                leftSection={<Icon size={18} aria-hidden />}
                active={active}
                aria-current={active ? 'page' : undefined}
                onClick={close}
              />
            );
          })}
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" ref={main} tabIndex={-1} data-shown={shown}>
        <OfflineBanner />
        <SuspendedBanner />
        <EnrolmentBanner />
        <Box>
          <Outlet />
        </Box>
      </AppShell.Main>
      <Navigating />
    </AppShell>
  );
}

/** Readers of the screen begin with the content of a page that was opened by a link. */
function useFocusOnNavigation(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current !== pathname) main.current?.focus({ preventScroll: true });
    before.current = pathname;
  }, [pathname, main]);
}

function Navigating() {
  const { t } = useTranslation();
  const pending = useRouterState({ select: ({ status }) => status === 'pending' });
  return <VisuallyHidden role="status">{pending ? t('state.loading') : ''}</VisuallyHidden>;
}
