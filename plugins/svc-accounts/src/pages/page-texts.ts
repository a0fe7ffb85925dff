/** What the pages say, by language. Pure. */

/** The texts of all pages in one language. */
export interface PageTexts {
  readonly titles: Readonly<Record<PageName, string>>
  readonly address: string
  readonly newAddress: string
  readonly password: string
  readonly currentPassword: string
  readonly newPassword: string
  readonly code: string
  readonly signIn: string
  readonly passkey: string
  readonly signUp: string
  readonly resend: string
  readonly forgotten: string
  readonly sendLink: string
  readonly finish: string
  readonly confirm: string
  readonly accept: string
  readonly undo: string
  readonly keepAccount: string
  readonly download: string
  readonly signOut: string
  readonly changePassword: string
  readonly changeAddress: string
  readonly askExport: string
  readonly askDeletion: string
  readonly mailed: string
  readonly done: string
  readonly deleted: string
  readonly noLink: string
  readonly again: string
  readonly failed: string
  readonly needsScripts: string
  /** `{date}` is when. */
  readonly going: string
  readonly none: string
  readonly endOthers: string
  readonly addPasskey: string
  readonly lists: Readonly<Record<ListName, string>>
  /** Of an entry of a list. */
  readonly entry: { readonly name: string; readonly rename: string; readonly end: string; readonly here: string }
  /** Of the codes that pages meet; any other is `failed`. */
  readonly errors: Readonly<Record<string, string>>
}

/** A list on the page of the own account. */
export type ListName = 'passkeys' | 'sessions' | 'grants' | 'keys'

/** A page, by its path below that of the pages; `account` is the own account. */
export type PageName =
  | 'account'
  | 'sign-in'
  | 'sign-up'
  | 'reset'
  | 'address'
  | 'undo'
  | 'invitation'
  | 'deletion'
  | 'export'

const en: PageTexts = {
  titles: {
    account: 'Your account',
    'sign-in': 'Sign in',
    'sign-up': 'Sign up',
    reset: 'Reset your password',
    address: 'Confirm your new address',
    undo: 'Undo the change of your address',
    invitation: 'Accept the invitation',
    deletion: 'Cancel the deletion',
    export: 'Download your data'
  },
  address: 'Mail address',
  newAddress: 'New mail address',
  password: 'Password',
  currentPassword: 'Current password',
  newPassword: 'New password',
  code: 'One-time code',
  signIn: 'Sign in',
  passkey: 'Sign in with a passkey',
  signUp: 'Sign up',
  resend: 'Send the link again',
  forgotten: 'Forgot your password?',
  sendLink: 'Send a link',
  finish: 'Finish',
  confirm: 'Confirm',
  accept: 'Open the account',
  undo: 'Undo the change',
  keepAccount: 'Keep the account',
  download: 'Download',
  signOut: 'Sign out',
  changePassword: 'Change the password',
  changeAddress: 'Change the address',
  askExport: 'Ask for your data',
  askDeletion: 'Delete the account',
  mailed: 'If it can be done, a mail with a link is on its way.',
  done: 'Done.',
  deleted: 'Your account will be deleted. A mail says how to keep it.',
  noLink: 'Open this page by the link of a mail.',
  again: 'Sign in again, then repeat this.',
  failed: 'That did not work. Try again later.',
  needsScripts: 'This page needs JavaScript.',
  going: 'This account will be deleted on {date}. Keep it with the button below.',
  none: 'None.',
  endOthers: 'End all other sessions',
  addPasskey: 'Add a passkey',
  lists: { passkeys: 'Passkeys', sessions: 'Sessions', grants: 'Signed-in applications', keys: 'API keys' },
  entry: { name: 'Name of the passkey', rename: 'Rename', end: 'Remove', here: 'this browser' },
  errors: {
    SVC_ACCOUNTS_TOKEN: 'This link is not valid any more. Ask for a new one.',
    SVC_ACCOUNTS_ADDRESS: 'This is no mail address.',
    SVC_ACCOUNTS_SIGN_UP_PASSWORD: 'This is not the password of the sign-up.',
    SVC_ACCOUNTS_TAKEN: 'An account with this address exists.',
    SVC_SEC_LAST_ADMIN: 'You are the last administrator. Make another one first.',
    SVC_SEC_LAST_WAY_IN: 'This is your only way to sign in. Add another one first.',
    SVC_SEC_PASSKEY_LIMIT: 'You have as many passkeys as there may be.',
    SVC_SEC_PASSWORD: 'This password is not accepted. Choose a longer or a rarer one.',
    SVC_SEC_CREDENTIALS: 'That is not right. Try again.',
    SVC_SEC_THROTTLED: 'Too many tries. Wait a while.',
    SVC_LIMIT_EXCEEDED: 'Too many tries. Wait a while.'
  }
}

const de: PageTexts = {
  titles: {
    account: 'Ihr Konto',
    'sign-in': 'Anmelden',
    'sign-up': 'Registrieren',
    reset: 'Passwort zurücksetzen',
    address: 'Neue Adresse bestätigen',
    undo: 'Änderung der Adresse rückgängig machen',
    invitation: 'Einladung annehmen',
    deletion: 'Löschung abbrechen',
    export: 'Ihre Daten herunterladen'
  },
  address: 'Mailadresse',
  newAddress: 'Neue Mailadresse',
  password: 'Passwort',
  currentPassword: 'Bisheriges Passwort',
  newPassword: 'Neues Passwort',
  code: 'Einmalcode',
  signIn: 'Anmelden',
  passkey: 'Mit Passkey anmelden',
  signUp: 'Registrieren',
  resend: 'Link erneut senden',
  forgotten: 'Passwort vergessen?',
  sendLink: 'Link senden',
  finish: 'Abschließen',
  confirm: 'Bestätigen',
  accept: 'Konto eröffnen',
  undo: 'Rückgängig machen',
  keepAccount: 'Konto behalten',
  download: 'Herunterladen',
  signOut: 'Abmelden',
  changePassword: 'Passwort ändern',
  changeAddress: 'Adresse ändern',
  askExport: 'Daten anfordern',
  askDeletion: 'Konto löschen',
  mailed: 'Wenn es möglich ist, ist eine Mail mit einem Link unterwegs.',
  done: 'Erledigt.',
  deleted: 'Ihr Konto wird gelöscht. Eine Mail sagt, wie Sie es behalten.',
  noLink: 'Öffnen Sie diese Seite über den Link einer Mail.',
  again: 'Melden Sie sich erneut an, und wiederholen Sie es dann.',
  failed: 'Das hat nicht geklappt. Versuchen Sie es später erneut.',
  needsScripts: 'Diese Seite braucht JavaScript.',
  going: 'Dieses Konto wird am {date} gelöscht. Mit der Schaltfläche unten behalten Sie es.',
  none: 'Keine.',
  endOthers: 'Alle anderen Sitzungen beenden',
  addPasskey: 'Passkey hinzufügen',
  lists: { passkeys: 'Passkeys', sessions: 'Sitzungen', grants: 'Angemeldete Anwendungen', keys: 'API-Schlüssel' },
  entry: { name: 'Name des Passkeys', rename: 'Umbenennen', end: 'Entfernen', here: 'dieser Browser' },
  errors: {
    SVC_ACCOUNTS_TOKEN: 'Dieser Link gilt nicht mehr. Fordern Sie einen neuen an.',
    SVC_ACCOUNTS_ADDRESS: 'Das ist keine Mailadresse.',
    SVC_ACCOUNTS_SIGN_UP_PASSWORD: 'Das ist nicht das Passwort der Registrierung.',
    SVC_ACCOUNTS_TAKEN: 'Für diese Adresse gibt es ein Konto.',
    SVC_SEC_LAST_ADMIN: 'Sie sind der letzte Administrator. Bestimmen Sie erst einen anderen.',
    SVC_SEC_LAST_WAY_IN: 'Das ist Ihr einziger Weg, sich anzumelden. Fügen Sie erst einen anderen hinzu.',
    SVC_SEC_PASSKEY_LIMIT: 'Mehr Passkeys kann ein Konto nicht haben.',
    SVC_SEC_PASSWORD: 'Dieses Passwort wird nicht angenommen. Wählen Sie ein längeres oder selteneres.',
    SVC_SEC_CREDENTIALS: 'Das stimmt nicht. Versuchen Sie es erneut.',
    SVC_SEC_THROTTLED: 'Zu viele Versuche. Warten Sie eine Weile.',
    SVC_LIMIT_EXCEEDED: 'Zu viele Versuche. Warten Sie eine Weile.'
  }
}

const LANGUAGES: Readonly<Record<string, PageTexts>> = { en, de }

/** @param accepted `Accept-Language` @returns the first language of it that the pages speak, or the given one, or English */
export function pageTexts(
  accepted: string | undefined,
  fallback: string
): { readonly locale: string; readonly texts: PageTexts } {
  const wanted = (accepted ?? '')
    .split(',')
    .map((each) => (each.split(';')[0] ?? '').trim().toLowerCase().split('-')[0] ?? '')
  const locale = [...wanted, fallback].find((each) => Object.hasOwn(LANGUAGES, each)) ?? 'en'
  return { locale, texts: LANGUAGES[locale] ?? en }
}
