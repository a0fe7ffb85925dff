/** The codes of svc-cli that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** warning: sources are newer than the build. Fix: `npm run build`. */
  SVC_STALE_BUILD: true
  /** warning: an edit changed a host or a port; the open ports stay. Fix: start `svc dev` again. */
  SVC_DEV_ADDRESS: true
  /** CLI: `svc dev --admin` outside of development. Fix: leave `--admin` out, or make the user with `svc user:create`. */
  SVC_DEV_ADMIN: true
  /** CLI, 2: unknown command, unknown option, or a missing argument. Fix: `svc --help`. */
  SVC_CLI_USAGE: true
  /** CLI: the folder is not an application; the nearest one is named. Fix: change to it, or use `--root`. */
  SVC_NO_CONFIG: true
  /**
   * CLI: `app.ts` is missing, or does not export an application. Fix: `export default application(config,
   * import.meta.url)`.
   */
  SVC_NO_ENTRY: true
  /** CLI: an imported file does not exist. Fix: correct the path; relative imports end in `.ts`. */
  SVC_SOURCE_MISSING: true
  /** CLI: an application imports a name that has moved or gone since an earlier version. Fix: run `svc upgrade`. */
  SVC_NAME_MOVED: true
  /**
   * CLI: the sources do not compile; the build before it is untouched. Fix: correct the errors shown above the message.
   */
  SVC_BUILD_FAILED: true
  /**
   * CLI, warning: `dist/` holds files that no build wrote; they are kept. Fix: move data to the application's
   * folder.
   */
  SVC_BUILD_KEPT: true
  /** CLI: `svc start` finds no build. Fix: `npm run build`. */
  SVC_NO_BUILD: true
  /**
   * CLI, 2: the name cannot name an application, a controller or an entity. Fix: use the cleaned name that the message
   * suggests.
   */
  SVC_CREATE_NAME: true
  /**
   * CLI: the folder is not empty, or the file exists. Fix: choose another name, or `--force` to write only what is
   * missing.
   */
  SVC_CREATE_EXISTS: true
  /** CLI, 2: the preset is unknown. Fix: use one that the message lists. */
  SVC_CREATE_PRESET: true
  /** CLI, 2: the preset keeps no data there. Fix: use the preset that the message names. */
  SVC_CREATE_DATABASE: true
  /**
   * CLI, 2: a field of a new entity has a name or a type that cannot be. Fix: write `name:type`, with `?` where it may
   * be null and `!` where it is unique.
   */
  SVC_CREATE_FIELD: true
  /** CLI, 2: `--route` is not a path, or none that rows can lie under. Fix: give a path such as `/api`. */
  SVC_CREATE_ROUTE: true
  /**
   * CLI: neither `--dir` nor the config names the folder of the key set. Fix: `--dir keys`, or `jwt: { dir: 'keys' }`.
   */
  SVC_KEYS_DIR: true
  /** CLI: there is no key set in the folder. Fix: `svc keys generate`. */
  SVC_KEYS_NONE: true
  /** CLI: there is a key set already; it is not overwritten. Fix: `svc keys rotate`. */
  SVC_KEYS_EXISTS: true
  /** CLI: the key set is damaged, or holds what is no Ed25519 key. Fix: put a good copy back. */
  SVC_KEYS_UNUSABLE: true
  /** CLI, 2: the identifier is empty, too long, or has blanks around it. Fix: use another one. */
  SVC_USER_NAME: true
  /** CLI, 2: `--role` is no role. Fix: use the role that the message shows. */
  SVC_USER_ROLE: true
  /**
   * CLI: no password could be read, the two differ, or the application refuses it, such as one that is shorter than
   * `passwords.minLength`. Fix: `--password-stdin`, or another password.
   */
  SVC_USER_PASSWORD: true
  /** CLI: no user has this identifier. Fix: `svc user:list` shows them. */
  SVC_USER_UNKNOWN: true
  /** CLI: the identifier is taken. Fix: choose another one. */
  SVC_USER_EXISTS: true
  /** CLI: the application keeps no users. Fix: list `session` in a zone. */
  SVC_USER_NO_ACCOUNTS: true
  /** CLI: users are kept in memory and would be gone when the command ends. Fix: load a database module. */
  SVC_USER_VOLATILE: true
  /** CLI: the application loads its users itself, by `parts.users` or `users.entity`. Fix: create the user there. */
  SVC_USER_FOREIGN: true
  /**
   * CLI, 2: `svc explain` was given something that is not the method or the path of a request. Fix: `svc explain GET
   * /api/hello --as alice`.
   */
  SVC_EXPLAIN_REQUEST: true
  /**
   * CLI: the files could not be written; nothing half-written is left. Fix: see the message; check folder and
   * permissions.
   */
  SVC_CREATE_FAILED: true
  /** CLI, 2: `svc docs` has no such page, and no such code. Fix: `svc docs` lists both. */
  SVC_DOCS_UNKNOWN: true
  /** CLI, 2: `svc module:add` knows no such module. Fix: use one that the message lists; others are listed by hand. */
  SVC_MODULE_UNKNOWN: true
  /** CLI: the module is listed already. Fix: nothing has to be done. */
  SVC_MODULE_LISTED: true
  /**
   * CLI: the list of modules is not written out, so that it cannot be edited with certainty; nothing was changed. Fix:
   * add the lines that the message shows.
   */
  SVC_MODULE_EDIT: true
  /** CLI, 2: there is no API key to ask a running server with. Fix: put one into `SVC_API_KEY`. */
  SVC_HOOKS_KEY: true
  /** CLI, 2: `--url`, or `SVC_URL`, is no address of a server. Fix: give `http://` or `https://`, host and port. */
  SVC_HOOKS_URL: true
  /** CLI, 2: `--since` or `--until` is no time. Fix: give ISO 8601, or milliseconds since 1970. */
  SVC_HOOKS_TIME: true
  /** CLI, 2: `--forward` is no URL. Fix: give one with `http://` or `https://`. */
  SVC_HOOKS_FORWARD: true
  /** CLI: the server does not answer. Fix: start it, or name another one with `--url`. */
  SVC_HOOKS_UNREACHABLE: true
  /** CLI: the server refused what it was asked; its code and text are shown. Fix: see them. */
  SVC_HOOKS_REFUSED: true
  /** CLI: a recovery was stopped, failed, or has messages that were not delivered. Fix: see `svc webhooks tail`. */
  SVC_HOOKS_RECOVERY: true
  /**
   * CLI: the server does not send to this machine. Fix: in development alone `allowHttp: true, allowCidrs:
   * ['127.0.0.0/8']` of svc-webhooks.
   */
  SVC_HOOKS_LISTEN: true
  /** CLI: `svc orm:reset` outside of development; nothing was touched. Fix: it deletes data: `svc orm:diff` writes a migration that keeps it. */
  SVC_RESET_MODE: true
  /** CLI: no database is listed that could be reset. Fix: list svc-sqlorm or svc-docdb. */
  SVC_RESET_NONE: true
  /** CLI: a database cannot be reached; nothing was touched. Fix: start it. */
  SVC_RESET_UNREACHABLE: true
  /** CLI: the reset was not confirmed, or there is no terminal to ask. Fix: type `yes`, or give `--yes`. */
  SVC_RESET_DECLINED: true
  /** CLI: the application has no svc-orm: there is nothing to migrate. Fix: `svc module:add sql`. */
  SVC_MIGRATE_NONE: true
  /** CLI: the application has no svc-orm: there is nothing to seed. Fix: `svc module:add sql`. */
  SVC_SEED_NONE: true
  /** CLI, 2: `--steps` is no number of migrations. Fix: give 1 or more. */
  SVC_MIGRATE_STEPS: true
  /**
   * CLI: `svc orm:rollback` would delete rows or values, and was not agreed to. Fix: `--dry-run` to see it, `--yes` to do
   * it.
   */
  SVC_MIGRATE_CONFIRM: true
  /** CLI: `svc orm:status` found something open: it is listed above the message. Fix: what stands beside it. */
  SVC_MIGRATE_OPEN: true
}
