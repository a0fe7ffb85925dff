/**
 * What a mail of an account is about: the key of its texts and of its template. Apart from both, which need it.
 */
export type MailKind =
  | 'verify'
  | 'taken'
  | 'reset'
  | 'password'
  | 'address'
  | 'moved'
  | 'welcome'
  | 'invitation'
  | 'deletion'
  | 'cancelled'
  | 'deleted'
  | 'export'
