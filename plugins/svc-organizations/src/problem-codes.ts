/** The codes of svc-organizations that are no error class: problems of the boot. */
export interface ProblemCodes {
  /** boot: a section is on, and a plugin that it needs is missing. Fix: register it before svc-organizations. */
  SVC_ORG_NEEDS: true
  /** boot: a store is disabled, or its driver is not registered. Fix: correct `store`, or register the driver first. */
  SVC_ORG_NO_STORE: true
  /** boot: `invitations` is on, and nothing knows which address a user has proven. Fix: register svc-accounts first, or pass `parts.provenAddress`. */
  SVC_ORG_PROVEN: true
  /** boot: `invitations.link` is no http or https URL without a fragment. Fix: `link: 'https://shop.example.org/join'`. */
  SVC_ORG_LINK: true
  /** boot: `scim` is on without `keys` or `domains`, or gives a role that `roles` does not declare. Fix: add the sections; use a declared role. */
  SVC_ORG_SCIM: true
  /** boot: `keys` is on, and svc-security does not keep the users. Fix: leave `users` of svc-security to its own store. */
  SVC_ORG_KEY_USERS: true
  /** boot: the plugin is registered in a scope that does not hold every route. Fix: register it on the root instance. */
  SVC_ORG_NOT_ROOT: true
}
