/** The texts of mails in English, and the form that every language has. Pure. */
import type { MailKind } from './mail-kind.ts'

/** What one mail says. `{address}` stands for the address that it is about. */
export interface MailText {
  readonly subject: string
  /** Why it came. */
  readonly lead: string
  /** Of the link; `null` for a mail without one. */
  readonly action: string | null
  /** What to do about it otherwise. */
  readonly note: string
}

/** The texts of all mails in one language. */
export type Texts = Readonly<Record<MailKind, MailText>>

export const en: Texts = {
  verify: {
    subject: 'Confirm your address',
    lead: 'You signed up with {address}. Confirm the address to finish.',
    action: 'Confirm the address',
    note: 'If you did not sign up, ignore this mail: there will be no account.'
  },
  taken: {
    subject: 'You have an account already',
    lead: 'A sign-up, or a change of address, was tried with {address}, which has an account.',
    action: null,
    note: 'If that was you, sign in, or reset your password. If not, nothing has changed.'
  },
  reset: {
    subject: 'Reset your password',
    lead: 'Someone asked for a new password for the account of {address}.',
    action: 'Choose a new password',
    note: 'If you did not ask for it, ignore this mail: your password is still valid.'
  },
  password: {
    subject: 'Your password was changed',
    lead: 'The password of the account of {address} was changed, and its sessions have ended.',
    action: null,
    note: 'If that was not you, reset your password at once.'
  },
  address: {
    subject: 'Confirm your new address',
    lead: 'An account is to have the address {address}.',
    action: 'Confirm the address',
    note: 'If you did not ask for it, ignore this mail: nothing will change.'
  },
  moved: {
    subject: 'The address of your account changes',
    lead: 'Your account has a new address: {address}.',
    action: 'Undo the change',
    note: 'If that was not you, undo the change: you then choose a new password.'
  },
  welcome: {
    subject: 'Your address was changed',
    lead: 'Your account has the address {address}. Sign in with it.',
    action: null,
    note: 'The address before was told, too.'
  },
  invitation: {
    subject: 'You are invited',
    lead: 'You are invited to open an account for {address}.',
    action: 'Accept the invitation',
    note: 'If you do not know why, ignore this mail.'
  },
  deletion: {
    subject: 'Your account will be deleted',
    lead: 'The account of {address} will be deleted, and its sessions have ended.',
    action: 'Cancel the deletion',
    note: 'You can also sign in and cancel it there.'
  },
  cancelled: {
    subject: 'Your account will not be deleted',
    lead: 'The deletion of the account of {address} was cancelled.',
    action: null,
    note: 'If that was not you, reset your password.'
  },
  deleted: {
    subject: 'Your account was deleted',
    lead: 'The account of {address} was deleted.',
    action: null,
    note: 'This is the last mail about it.'
  },
  export: {
    subject: 'Your data can be downloaded',
    lead: 'The data of the account of {address} is ready. It can be downloaded once.',
    action: 'Download the data',
    note: 'If you did not ask for it, change your password.'
  }
}
