/** The codes of svc-security that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot: a zone lists an authenticator that is not registered. Fix: correct the name, or register it at module load.
   */
  SVC_SEC_UNKNOWN_AUTHENTICATOR: true
  /** boot: `parts.authenticators` uses a name that is registered. Fix: give it another name. */
  SVC_SEC_AUTHENTICATOR_TAKEN: true
  /** boot: a voter or an authenticator cannot be built, or lacks a method. Fix: correct its factory. */
  SVC_SEC_FACTORY: true
  /**
   * boot, warning: `totp.encryptionKey` is missing or is not 32 bytes of base64; outside production a missing one is a
   * warning. Fix: set it from the environment: `openssl rand -base64 32`.
   */
  SVC_SEC_TOTP_KEY: true
  /**
   * boot: `oauth2` is given, and `parts.users` or `users.entity` cannot find or link accounts of providers. Fix: give
   * `parts.users` with `findBySocialAccount` and `linkSocialAccount`, or keep users in the user store.
   */
  SVC_SEC_OAUTH_USERS: true
  /**
   * boot: `users.entity` cannot keep users: svc-orm is not registered before, or the entity or one of its fields is unknown
   * or of another type, or the identifier is not unique. Fix: what the message names, see docs/guides/accounts.md.
   */
  SVC_SEC_USERS_ENTITY: true
  /**
   * warning: `parts.users` gives a key that looks like a flag or like one of ours, and nothing reads it. Fix: write the name
   * that is meant, or leave it out.
   */
  SVC_SEC_USER_KEY_UNREAD: true
  /** boot: a role inherits itself; the whole path is shown. Fix: take one of the roles out. */
  SVC_SEC_ROLE_CYCLE: true
  /**
   * boot, CLI, log: there is no key set to sign tokens with, it cannot be used, or others can read it. Fix: `svc keys
   * generate`, or correct what is named.
   */
  SVC_SEC_KEYS: true
  /** warning: tokens are signed with keys of this process only. Fix: set `jwt.dir` or `jwt.keySetJson`. */
  SVC_SEC_KEYS_EPHEMERAL: true
  /**
   * boot: `svc-security` is registered in a scope that does not hold every route. Fix: wrap the file that registers it
   * in `fastify-plugin`, see docs/guides/fastify-cli.md.
   */
  SVC_SEC_NOT_ROOT: true
  /**
   * warning: an authenticator of the application does not say how its credential travels, so it counts as sent by browsers:
   * changes from pages of other origins, and WebSockets without an `Origin`, are refused. Fix: give it a `carrier`.
   */
  SVC_SEC_NO_CARRIER: true
  /** warning: in a zone, `anonymous` makes others useless, or refuses everyone. Fix: move it last, or remove it. */
  SVC_ZONE_ORDER: true
  /**
   * boot: the pattern of a zone has a repetition inside a repetition, so a crafted path could keep the process busy.
   * Fix: match only the beginning of the path.
   */
  SVC_ZONE_PATTERN: true
  /**
   * warning: the pattern of a zone does not begin with `^`, so it takes routes that have its text anywhere. Fix: begin
   * it with `^`.
   */
  SVC_ZONE_UNANCHORED: true
  /** warning: an earlier zone takes every route of this one. Fix: declare it before the other. */
  SVC_ZONE_UNREACHABLE: true
  /** warning: a guarded route is in no zone, so it always answers 403. Fix: add a zone whose pattern matches. */
  SVC_GUARD_NO_ZONE: true
  /** warning: a GET is guarded, and a HEAD that is declared by itself is not. Fix: guard it alike, or leave it out. */
  SVC_GUARD_HEAD: true
  /**
   * warning: with `trustProxy: true`, callers choose the address that throttles and audit see. Fix: name the addresses
   * of your proxies.
   */
  SVC_SEC_TRUST_PROXY: true
  /**
   * warning: no voter supports an attribute, so it is always refused. Fix: correct the attribute, or register a voter.
   */
  SVC_NO_VOTER: true
  /** warning: `rateLimit.enabled` is false in production. Fix: leave it on. */
  SVC_SEC_NO_THROTTLE: true
  /**
   * log: in production, each instance counts login attempts for itself. Fix: with several instances, keep
   * them in a database (`rateLimit.store`), or give `parts.attempts`.
   */
  SVC_SEC_THROTTLE_LOCAL: true
  /** warning: `csrf.enabled` is false in production. Fix: leave it on; list pages in `csrf.trustedOrigins`. */
  SVC_SEC_NO_CSRF: true
  /**
   * warning: WebSockets opened with a proof of this authenticator are closed after `uncheckedSocketS` of their zone, or with
   * 0 outlive every revocation: it has no `liveness`, and there are no accounts. Fix: give it `liveness`, see docs/guides/open-sockets.md.
   */
  SVC_SEC_NO_LIVENESS: true
  /**
   * log: a WebSocket was closed, as the authenticator that opened it proved a subject that is no user. Fix: give the
   * authenticator `liveness`.
   */
  SVC_SEC_SUBJECT_UNKNOWN: true
  /**
   * warning: a section of the options has no effect: `tokenStore` without tokens, `idempotency` without accounts,
   * `users` beside `parts.users`, `users.store` beside `users.entity`. Fix: switch on what it is for, or remove it.
   */
  SVC_SEC_SECTION_UNUSED: true
  /**
   * warning: in production, a session cookie went out over plain HTTP; logged once. Fix: serve TLS, set
   * `server.trustProxy`, or `session.secureCookie: 'always'`.
   */
  SVC_SEC_BARE_COOKIE: true
  /**
   * warning: `request.session` was read where it is empty, as no session was looked for; logged once. Fix: list
   * `session` in the route's zone, or await `fastify.sessions.resume(request)`.
   */
  SVC_SEC_SESSION_NOT_RESUMED: true
  /**
   * log: the counter of login attempts does not answer; attempts are counted in memory meanwhile. Fix: check its
   * database.
   */
  SVC_SEC_THROTTLE_STORE: true
  /**
   * log: a stored password hash is no argon2id PHC string; the login was refused. Fix: set the password anew with
   * `hashPassword`.
   */
  SVC_SEC_PASSWORD_HASH: true
}
