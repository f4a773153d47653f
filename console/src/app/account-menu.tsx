import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, CircleUser, KeyRound, LogOut } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '../i18n/i18n.ts';
import { LANGUAGES, type Language } from '../i18n/languages.ts';
import { session } from '../session/session.ts';
import { useMe } from '../session/use-session.ts';

const SCHEMES = ['light', 'dark', 'auto'] as const;

/** Who is signed in, and the settings of the console. */
export function AccountMenu() {
  const { t, i18n } = useTranslation();
  const me = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label={t('account.menu', { user: me.user_id })}>
          <CircleUser size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <bdi>{me.user_id}</bdi>
          </Text>
          <Text size="xs">{t('account.roles', { roles: me.roles.join(', ') })}</Text>
        </Menu.Label>
        <Menu.Item
          component={Link}
          {...({ to: '/me' } as object)}
          leftSection={<KeyRound size={16} aria-hidden />}
        >
          {t('account.sessions')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('account.scheme')}</Menu.Label>
        {SCHEMES.map((scheme) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            leftSection={
              colorScheme === scheme ? <Check size={16} aria-hidden /> : <span className="check-space" />
            }
            onClick={() => setColorScheme(scheme)}
          >
            {t(`account.scheme_${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t('account.language')}</Menu.Label>
        {Object.entries(LANGUAGES).map(([tag, name]) => (
          <Menu.Item
            key={tag}
            role="menuitemradio"
            aria-checked={i18n.language === tag}
            lang={tag}
            leftSection={
              i18n.language === tag ? <Check size={16} aria-hidden /> : <span className="check-space" />
            }
            onClick={() => void changeLanguage(tag as Language)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={() => void session.end()}>
          {t('account.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
