/** The codes of svc-accounts that are no error class: problems of the boot, lines of the log. */
export interface ProblemCodes {
  /** boot: a flow is on, and a plugin that it needs is missing. Fix: register it before svc-accounts. */
  SVC_ACCOUNTS_NEEDS: true
  /** boot: a flow is on, and svc-security does not keep the users. Fix: leave `users` of svc-security to its own store. */
  SVC_ACCOUNTS_USERS: true
  /** boot: a store is disabled, or its driver is not registered. Fix: correct `store`, or register the driver first. */
  SVC_ACCOUNTS_NO_STORE: true
  /** boot: `link` is missing, or no http or https URL without a fragment. Fix: `link: 'https://shop.example.org/account'`. */
  SVC_ACCOUNTS_LINK: true
  /** boot: `locale` has no texts. Fix: use `en` or `de`, or pass `parts.texts`. */
  SVC_ACCOUNTS_LOCALE: true
  /** log: the notice of a changed password could not be handed to svc-mail. Fix: see the error in the line. */
  SVC_ACCOUNTS_NOTICE: true
}
