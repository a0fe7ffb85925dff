/** The codes of svc-security that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * boot: a zone lists an authenticator that is not registered. Fix: correct the name, or register the authenticator
   * when its module loads.
   */
  SVC_SEC_UNKNOWN_AUTHENTICATOR: true
  /** boot: `parts.authenticators` uses the name of a registered authenticator. Fix: choose another name. */
  SVC_SEC_AUTHENTICATOR_TAKEN: true
  /**
   * boot: the factory of a voter or an authenticator failed, or its result lacks a method. Fix: correct the factory.
   */
  SVC_SEC_FACTORY: true
  /**
   * boot, warning: `totp.encryptionKey` is missing or is not 32 bytes of base64; outside production a missing one is a
   * warning. Fix: set it from the environment: `openssl rand -base64 32`.
   */
  SVC_SEC_TOTP_KEY: true
  /**
   * boot: `oauth2` is set, and `parts.users` or `users.entity` cannot find, link or create provider accounts. Fix: add
   * `findBySocialAccount` and `linkSocialAccount` to `parts.users`, with `accounts.create` also
   * `createWithSocialAccount`, or use the user store.
   */
  SVC_SEC_OAUTH_USERS: true
  /**
   * boot: `users.entity` cannot hold users: svc-orm is not registered before svc-security, the entity or a field is
   * unknown or has another type, or the identifier is not unique. Fix: correct what the message names; see
   * docs/guides/accounts.md.
   */
  SVC_SEC_USERS_ENTITY: true
  /**
   * warning: a record of `parts.users` has a key that looks like a known flag, and nothing reads it. Fix: correct the
   * name, or remove the key.
   */
  SVC_SEC_USER_KEY_UNREAD: true
  /**
   * boot: `passwords.breached` names no list of breached passwords, or it cannot be read. Fix: correct the path, or
   * download the list again.
   */
  SVC_SEC_BREACHED_LIST: true
  /** boot: `passwords.decoyHash` is no hash of a known form. Fix: write the whole hash, as the other system made it. */
  SVC_SEC_DECOY_HASH: true
  /** boot: a role inherits itself; the message shows the whole path. Fix: remove one of the roles from the path. */
  SVC_SEC_ROLE_CYCLE: true
  /**
   * boot, CLI, log: the key set that signs tokens is missing, unusable, or readable by other users. Fix: `npx svc
   * keys generate`, or correct what the message names.
   */
  SVC_SEC_KEYS: true
  /** warning: tokens are signed with keys that end with this process. Fix: set `jwt.dir` or `jwt.keySetJson`. */
  SVC_SEC_KEYS_EPHEMERAL: true
  /**
   * boot: `svc-security` is registered in a scope that does not contain every route. Fix: wrap the file that
   * registers it in `fastify-plugin`; see docs/guides/fastify-cli.md.
   */
  SVC_SEC_NOT_ROOT: true
  /**
   * warning: an authenticator of your application does not declare how its credential travels, so svc treats it as
   * sent by browsers: it refuses changes from pages of other origins, and WebSockets without an `Origin`. Fix: add
   * `carrier` to the authenticator.
   */
  SVC_SEC_NO_CARRIER: true
  /**
   * warning: a guard, an area or a role asks for a factor that no login of the application can show, so every login is
   * refused there. Fix: add the section `totp` or `passkeys`, or `secondFactor` to a provider.
   */
  SVC_SEC_FACTOR_OFF: true
  /**
   * warning: in a zone, `anonymous` hides the authenticators after it, or makes the zone refuse everyone. Fix: move
   * it to the end, or remove it.
   */
  SVC_ZONE_ORDER: true
  /**
   * boot: the pattern of a zone nests repetitions, so a crafted path could block the process. Fix: match only the
   * beginning of the path.
   */
  SVC_ZONE_PATTERN: true
  /**
   * boot: a zone with an `audience` takes credentials that hold in other zones too, or its audience is that of the other
   * zones. Fix: list `jwt`, and give the zone an audience of its own.
   */
  SVC_ZONE_AUDIENCE: true
  /**
   * warning: the pattern of a zone does not start with `^`, so it also matches in the middle of a path. Fix: start it
   * with `^`.
   */
  SVC_ZONE_UNANCHORED: true
  /** warning: an earlier zone matches every route of this zone. Fix: declare this zone first. */
  SVC_ZONE_UNREACHABLE: true
  /**
   * warning: a guarded route is in no zone, so it always answers 403. Fix: add a zone whose pattern matches the
   * route.
   */
  SVC_GUARD_NO_ZONE: true
  /** warning: a GET route is guarded, and its separate HEAD route is not. Fix: guard HEAD too, or remove it. */
  SVC_GUARD_HEAD: true
  /**
   * warning: with `trustProxy: true`, callers choose the address that throttling and audit record. Fix: set
   * `trustProxy` to the addresses of your proxies.
   */
  SVC_SEC_TRUST_PROXY: true
  /**
   * warning: no voter supports an attribute, so its guard always refuses. Fix: correct the attribute, or register a
   * voter.
   */
  SVC_NO_VOTER: true
  /** warning: `rateLimit.enabled` is false in production. Fix: leave it on. */
  SVC_SEC_NO_THROTTLE: true
  /**
   * log: in production, each instance counts login attempts on its own. Fix: with several instances, keep the counts
   * in a database (`rateLimit.store`), or set `parts.attempts`.
   */
  SVC_SEC_THROTTLE_LOCAL: true
  /** warning: `csrf.enabled` is false in production. Fix: leave it on; list pages in `csrf.trustedOrigins`. */
  SVC_SEC_NO_CSRF: true
  /**
   * warning: an authenticator has no `liveness`, and the application has no accounts: its WebSockets close after
   * `uncheckedSocketS` of their zone, or with 0 stay open after a revocation. Fix: add `liveness` to the
   * authenticator; see docs/guides/open-sockets.md.
   */
  SVC_SEC_NO_LIVENESS: true
  /**
   * warning: a job on a controller has a guard, and the application has no accounts to look up who caused it: it is parked.
   * Fix: set `parts.users`, or remove the guard.
   */
  SVC_SEC_JOB_ACCOUNTS: true
  /**
   * log: a WebSocket was closed because the subject that its authenticator proved is not a user. Fix: add `liveness`
   * to the authenticator.
   */
  SVC_SEC_SUBJECT_UNKNOWN: true
  /**
   * warning: a section of the options has no effect: `tokenStore` without tokens, `idempotency` without accounts,
   * `users` beside `parts.users`, `users.store` beside `users.entity`. Fix: switch on the feature, or remove the
   * section.
   */
  SVC_SEC_SECTION_UNUSED: true
  /**
   * warning: in production, a session cookie was sent over plain HTTP; logged once. Fix: serve TLS, set
   * `server.trustProxy`, or `session.secureCookie: 'always'`.
   */
  SVC_SEC_BARE_COOKIE: true
  /**
   * warning: your code read `request.session` on a route that did not resume the session, so it is empty; logged
   * once. Fix: list `session` in the route's zone, or await `fastify.sessions.resume(request)`.
   */
  SVC_SEC_SESSION_NOT_RESUMED: true
  /**
   * log: the database that counts login attempts does not answer; attempts are counted in memory meanwhile. Fix:
   * check that database.
   */
  SVC_SEC_THROTTLE_STORE: true
  /**
   * log: a stored password hash is not an argon2id PHC string; the login was refused. Fix: set a new password with
   * `hashPassword`.
   */
  SVC_SEC_PASSWORD_HASH: true
}
