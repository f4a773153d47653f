import type { Translation } from '../../i18n/translation.ts';
import type { messages as english } from '../en/session.ts';

/** Was die Anmeldung, der zweite Faktor und die eigenen Sitzungen sagen. */
export const messages: Translation<typeof english> = {
  title: 'Anmelden',
  first:
    'Noch kein Administrator? Auf dem Rechner des Servers legt npm run register -- --admin mit einem Namen einen an.',
  intro: 'Für die Verwaltung und Moderation dieses Servers.',
  user: 'Benutzer-Id oder Name',
  password: 'Passwort',
  submit: 'Anmelden',
  code: 'Code der Authenticator-App',
  recovery_code: 'Wiederherstellungscode',
  use_recovery_code: 'Wiederherstellungscode verwenden',
  use_code: 'Authenticator-App verwenden',
  wrong: 'Name, Passwort oder Code ist falsch.',
  not_permitted: 'Dieses Konto hat auf diesem Server keine Rolle.',
  throttled: 'Es waren zu viele Versuche, sich anzumelden. Versuchen Sie es in {{time}} wieder.',
  failed: 'Der Server konnte Sie nicht anmelden. Versuchen Sie es später wieder.',
  ended_title: 'Ihre Sitzung ist beendet',
  ended: 'Melden Sie sich wieder an, um fortzufahren. Was auf dieser Seite steht, bleibt.',
  step_up_title: 'Weisen Sie sich aus',
  step_up:
    'Dieser Auftrag verlangt einen frischen Nachweis. Er wird danach erteilt; vorher wurde nichts geändert.',
  continue: 'Fortfahren',
  no_proof: 'Dieses Konto hat weder Passwort noch zweiten Faktor; das geht darum nur mit einem Zugangstoken.',
  own_title: 'Eigene Sitzungen und zweiter Faktor',
  rights: 'Rollen und Rechte',
  rights_of: '{{user}} hat die Rollen {{roles}}.',
  rights_none: 'Diese Sitzung hat keine Rechte.',
  rights_suspended:
    'Das Konto hat seit dem Beginn dieser Sitzung einen zweiten Faktor. Die Sitzung hat ihre Rechte wieder, wenn Sie sich ausweisen.',
  rights_fewer: 'Diese Sitzung hat nicht alle Rechte des Kontos.',
  rights_account_suspended:
    'Das Konto ist ausgesetzt. Es hat seine Rechte wieder, wenn ein anderer Administrator die Aussetzung aufhebt.',
  rights_limited:
    'Jemand mit weniger Rechten hat das Passwort gesetzt, mit dem diese Sitzung begann. Melden Sie sich mit einem Passwort neu an, das jemand mit diesen Rechten gesetzt hat, oder mit Ihrem zweiten Faktor.',
  prove: 'Ausweisen',
  all_scopes: 'Die Verwaltung des Servers darf alles:',
  sessions_hint:
    'Browser, in denen dieses Konto den Server verwaltet. Geräte von Clients gehören nicht dazu.',
  sessions: 'Sitzungen',
  current: 'diese',
  started: 'Begonnen',
  last_used: 'Zuletzt benutzt',
  ends: 'Endet',
  address: 'Adresse',
  browser: 'Browser',
  end: 'Beenden',
  end_title: 'Sitzung beenden',
  end_effect: 'Ihr Browser muss sich neu anmelden.',
  end_own: 'Abmelden',
  factor: 'Zweiter Faktor',
  factor_on: 'Eingerichtet seit {{time}}. {{left}} Wiederherstellungscodes sind übrig.',
  factor_off: 'Aus. Mit zweitem Faktor verlangt die Anmeldung einen Code einer Authenticator-App.',
  enrol: 'Einrichten',
  enrol_title: 'Zweiten Faktor einrichten',
  enrol_effect:
    'Danach haben Zugangstoken dieses Kontos keine Verwaltungsrechte mehr: Sie umgingen den zweiten Faktor.',
  enrol_link: 'In der App öffnen',
  enrol_begun: 'Der Schlüssel ist erzeugt. Er gilt, sobald Sie ihn bestätigt haben.',
  enrol_code: 'Geben Sie dann den Code ein, den die App zeigt',
  enrol_scan: 'Lesen Sie dies mit der Authenticator-App ein, oder geben Sie den Schlüssel in sie ein.',
  enrol_qr: 'QR-Code mit dem Schlüssel des zweiten Faktors',
  enrol_key: 'Schlüssel',
  enrol_until: 'Der Schlüssel lässt sich {{time}} bestätigen.',
  enrol_confirm: 'Bestätigen',
  code_wrong:
    'Der Code ist falsch oder wurde schon benutzt: Jeder gilt einmal, warten Sie auf den nächsten. Die Uhr des Servers zeigt {{time}}.',
  recovery_codes: 'Wiederherstellungscodes',
  recovery_codes_hint:
    'Jeder gilt einmal, wenn die App verloren ist. Sie erscheinen nur jetzt: Bewahren Sie sie auf.',
  renew: 'Neue Wiederherstellungscodes',
  renew_effect: 'Die übrigen Wiederherstellungscodes gelten dann nicht mehr.',
  remove: 'Entfernen',
  remove_title: 'Zweiten Faktor entfernen',
  remove_effect: 'Die Anmeldung verlangt nur noch das Passwort.',
};
