import type { Translation } from '../../i18n/translation.ts';
import type { messages as english } from '../en/scopes.ts';

/** Was die Berechtigungen der Rollen und Token erlauben. */
export const messages: Translation<typeof english> = {
  area_users: 'Benutzer',
  area_registration_tokens: 'Registrierungstoken',
  area_rooms: 'Räume',
  area_media: 'Medien',
  area_reports: 'Meldungen',
  area_notices: 'Servermitteilungen',
  area_tasks: 'Aufgaben',
  area_audit: 'Protokoll',
  area_access: 'Zugriff',
  area_server: 'Server',
  area_events: 'Ereignisse',
  area_webhooks: 'Webhooks',
  scope_users_read: 'Konten, ihre Geräte, Sitzungen, Mitgliedschaften, Grenzen und Kontingente lesen',
  scope_users_write:
    'Konten anlegen, ändern, sperren, suspendieren, mit Schattenbann belegen und deaktivieren',
  scope_users_credentials:
    'Passwörter und Adressen setzen, Sitzungen beenden; mit einem gesetzten Passwort lesen, was der Benutzer lesen kann',
  scope_users_impersonate: 'Als ein Benutzer handeln',
  scope_users_erase: 'Benutzer löschen',
  scope_registration_tokens_read: 'Registrierungstoken lesen, mit denen man Konten anlegen kann',
  scope_registration_tokens_write: 'Registrierungstoken anlegen, ändern und löschen',
  scope_rooms_read: 'Angaben, Mitglieder und Aliasse von Räumen und den Fortschritt von Aufträgen lesen',
  scope_rooms_content: 'Nachrichten, Zustand und Kontodaten lesen; was privat ist, hält das Protokoll fest',
  scope_rooms_write:
    'Räume blockieren, Benutzer beitreten lassen, Raumverwalter ernennen, Ereignisse schwärzen',
  scope_rooms_delete: 'Räume löschen und Verlauf bereinigen',
  scope_media_read: 'Angaben zu Medien und ihre Statistik lesen',
  scope_media_write: 'Medien in Quarantäne stellen, freigeben und schützen',
  scope_media_delete: 'Medien löschen',
  scope_reports_read: 'Meldungen mit den gemeldeten Ereignissen lesen',
  scope_reports_write: 'Meldungen entscheiden und löschen',
  scope_notices_send: 'Servermitteilungen senden',
  scope_tasks_read: 'Aufgaben lesen',
  scope_tasks_write: 'Aufgaben abbrechen',
  scope_audit_read: 'Das Protokoll lesen, prüfen und exportieren',
  scope_audit_write: 'Prüfpunkte des Protokolls anlegen',
  scope_access_read: 'Rollen, ihre Inhaber und Automatisierungstoken lesen',
  scope_access_write: 'Rollen geben und nehmen, Verwalter ernennen, Automatisierungstoken anlegen',
  scope_server_read: 'Den Zustand des Servers lesen',
  scope_server_write: 'Hintergrundarbeiten, Verbindungen zu anderen Servern und Unzustellbares steuern',
  scope_events_read: 'Dem Strom der Ereignisse folgen, soweit andere Berechtigungen es erlauben',
  scope_webhooks_read: 'Webhooks und ihre Zustellungen lesen, ohne Geheimnisse',
  scope_webhooks_write: 'Webhooks anlegen, ändern, prüfen und löschen',
};
