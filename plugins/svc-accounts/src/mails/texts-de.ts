/** The texts of mails in German. Pure. */
import type { Texts } from './texts.ts'

export const de: Texts = {
  verify: {
    subject: 'Bestätigen Sie Ihre Adresse',
    lead: 'Sie haben sich mit {address} registriert. Bestätigen Sie die Adresse, um die Registrierung abzuschließen.',
    action: 'Adresse bestätigen',
    note: 'Wenn Sie sich nicht registriert haben, ignorieren Sie diese Mail: Es entsteht kein Konto.'
  },
  taken: {
    subject: 'Sie haben bereits ein Konto',
    lead: 'Mit {address} wurde eine Registrierung oder eine Änderung der Adresse versucht. Für sie gibt es bereits ein Konto.',
    action: null,
    note: 'Wenn Sie das waren, melden Sie sich an oder setzen Sie Ihr Passwort zurück. Wenn nicht, hat sich nichts geändert.'
  },
  reset: {
    subject: 'Setzen Sie Ihr Passwort zurück',
    lead: 'Für das Konto von {address} wurde ein neues Passwort angefordert.',
    action: 'Neues Passwort wählen',
    note: 'Wenn Sie es nicht angefordert haben, ignorieren Sie diese Mail: Ihr Passwort gilt weiter.'
  },
  password: {
    subject: 'Ihr Passwort wurde geändert',
    lead: 'Das Passwort des Kontos von {address} wurde geändert, seine Sitzungen sind beendet.',
    action: null,
    note: 'Wenn Sie das nicht waren, setzen Sie Ihr Passwort sofort zurück.'
  },
  address: {
    subject: 'Bestätigen Sie Ihre neue Adresse',
    lead: 'Ein Konto soll die Adresse {address} erhalten.',
    action: 'Adresse bestätigen',
    note: 'Wenn Sie das nicht wünschen, ignorieren Sie diese Mail: Es ändert sich nichts.'
  },
  moved: {
    subject: 'Die Adresse Ihres Kontos ändert sich',
    lead: 'Ihr Konto hat eine neue Adresse: {address}.',
    action: 'Änderung rückgängig machen',
    note: 'Wenn Sie das nicht waren, machen Sie die Änderung rückgängig: Danach wählen Sie ein neues Passwort.'
  },
  welcome: {
    subject: 'Ihre Adresse wurde geändert',
    lead: 'Ihr Konto hat die Adresse {address}. Melden Sie sich mit ihr an.',
    action: null,
    note: 'Die bisherige Adresse wurde ebenfalls benachrichtigt.'
  },
  invitation: {
    subject: 'Sie sind eingeladen',
    lead: 'Sie sind eingeladen, ein Konto für {address} zu eröffnen.',
    action: 'Einladung annehmen',
    note: 'Wenn Sie nicht wissen, warum, ignorieren Sie diese Mail.'
  },
  deletion: {
    subject: 'Ihr Konto wird gelöscht',
    lead: 'Das Konto von {address} wird gelöscht, seine Sitzungen sind beendet.',
    action: 'Löschung abbrechen',
    note: 'Sie können sich auch anmelden und die Löschung dort abbrechen.'
  },
  cancelled: {
    subject: 'Ihr Konto wird nicht gelöscht',
    lead: 'Die Löschung des Kontos von {address} wurde abgebrochen.',
    action: null,
    note: 'Wenn Sie das nicht waren, setzen Sie Ihr Passwort zurück.'
  },
  deleted: {
    subject: 'Ihr Konto wurde gelöscht',
    lead: 'Das Konto von {address} wurde gelöscht.',
    action: null,
    note: 'Dies ist die letzte Mail dazu.'
  },
  export: {
    subject: 'Ihre Daten stehen bereit',
    lead: 'Die Daten des Kontos von {address} stehen bereit. Sie lassen sich einmal herunterladen.',
    action: 'Daten herunterladen',
    note: 'Wenn Sie das nicht angefordert haben, ändern Sie Ihr Passwort.'
  }
}
