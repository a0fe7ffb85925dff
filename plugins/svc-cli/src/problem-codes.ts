/** The codes of svc-cli that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** CLI: `npx svc doctor` in another mode than production. Fix: `NODE_ENV=production`, or unset it. */
  SVC_DOCTOR_MODE: true
  /** CLI: `server.trustProxy` is set, and a stop has no delay. Fix: set `server.drainDelayMs`. */
  SVC_DOCTOR_DRAIN: true
  /** CLI: a dependency of the application does not answer. Fix: start it, or correct its address. */
  SVC_DOCTOR_OUTAGE: true
  /** CLI: the clocks of this machine and of a database differ by more than two seconds. Fix: run NTP on both. */
  SVC_DOCTOR_CLOCK: true
  /**
   * CLI, warning: `drainDelayMs` and `closeGraceMs` are longer together than Kubernetes waits by itself. Fix: set
   * `terminationGracePeriodSeconds` or `TimeoutStopSec` above their sum.
   */
  SVC_DOCTOR_GRACE: true
  /** CLI, warning: a database is a file of one machine. Fix: for several instances, use a database server. */
  SVC_DOCTOR_EMBEDDED: true
  /** warning: sources are newer than the build. Fix: `npm run build`. */
  SVC_STALE_BUILD: true
  /** warning: an edit changed a host or a port; open ports do not change. Fix: restart `npx svc dev`. */
  SVC_DEV_ADDRESS: true
  /** CLI: `svc dev --admin` outside of development. Fix: remove `--admin`, or create the user with `npx svc user:create`. */
  SVC_DEV_ADMIN: true
  /** CLI, 2: the command or an option is unknown, or an argument is missing. Fix: `npx svc --help`. */
  SVC_CLI_USAGE: true
  /** CLI: the folder is not an application; the message names the nearest one. Fix: `cd` to it, or use `--root`. */
  SVC_NO_CONFIG: true
  /**
   * CLI: `app.ts` is missing, or does not export an application. Fix: `export default application(config,
   * import.meta.url)`.
   */
  SVC_NO_ENTRY: true
  /** CLI: an imported file does not exist. Fix: correct the path; relative imports end in `.ts`. */
  SVC_SOURCE_MISSING: true
  /** CLI: your application imports a name that a newer version moved or removed. Fix: `npx svc upgrade`. */
  SVC_NAME_MOVED: true
  /**
   * CLI: the sources do not compile; the previous build is unchanged. Fix: correct the errors shown above the
   * message.
   */
  SVC_BUILD_FAILED: true
  /**
   * CLI, warning: `dist/` contains files that no build wrote; they stay. Fix: move data to the application's
   * folder.
   */
  SVC_BUILD_KEPT: true
  /**
   * warning, of `svc dev` and `svc build`: a route takes a body without a schema, so its client may send anything. Fix:
   * give the route a `body` schema.
   */
  SVC_CLIENT_BODY: true
  /** warning: a controller class is not exported, so the map of routes cannot refer to it. Fix: `export` the class. */
  SVC_CLIENT_CLASS: true
  /** warning: `routes.d.ts` was not written by svc, and stays as it is. Fix: rename your file. */
  SVC_CLIENT_MAP: true
  /** CLI: what `svc client --openapi` names is no OpenAPI 3 document. Fix: correct the file or the URL. */
  SVC_CLIENT_OPENAPI: true
  /** CLI: the folder of `svc client --out` has a file that svc did not write. Fix: choose another folder. */
  SVC_CLIENT_TAKEN: true
  /** CLI: `npx svc start` finds no build. Fix: `npm run build`. */
  SVC_NO_BUILD: true
  /**
   * CLI, 2: the name is not valid for an application, a controller or an entity. Fix: use the name that the message
   * suggests.
   */
  SVC_CREATE_NAME: true
  /**
   * CLI: the folder is not empty, or the file exists. Fix: choose another name, or add `--force` to write only
   * missing files.
   */
  SVC_CREATE_EXISTS: true
  /** CLI, 2: the preset is unknown. Fix: use a preset from the message. */
  SVC_CREATE_PRESET: true
  /** CLI, 2: the preset keeps no data there. Fix: use the preset that the message names. */
  SVC_CREATE_DATABASE: true
  /**
   * CLI, 2: a field of a new entity has an invalid name or type. Fix: write `name:type`, with `?` for nullable and
   * `!` for unique.
   */
  SVC_CREATE_FIELD: true
  /** CLI, 2: `--route` is not a valid path. Fix: give a path such as `/api`. */
  SVC_CREATE_ROUTE: true
  /**
   * CLI: neither `--dir` nor the config names the folder of the key set. Fix: add `--dir keys`, or set `jwt: { dir:
   * 'keys' }`.
   */
  SVC_KEYS_DIR: true
  /** CLI: the folder contains no key set. Fix: `npx svc keys generate`. */
  SVC_KEYS_NONE: true
  /** CLI: the folder contains a key set, which is not overwritten. Fix: `npx svc keys rotate`. */
  SVC_KEYS_EXISTS: true
  /** CLI: the key set is damaged, or contains a key that is not Ed25519. Fix: restore a good copy. */
  SVC_KEYS_UNUSABLE: true
  /** CLI, 2: the identifier is empty, too long, or begins or ends with a blank. Fix: use another identifier. */
  SVC_USER_NAME: true
  /** CLI, 2: `--role` does not have the form of a role. Fix: use the role in the message. */
  SVC_USER_ROLE: true
  /**
   * CLI: the password could not be read, its repetition differs, or the application refuses it, for example as
   * shorter than `passwords.minLength`. Fix: choose another password, or use `--password-stdin`.
   */
  SVC_USER_PASSWORD: true
  /** CLI: no user has this identifier. Fix: `npx svc user:list` shows them. */
  SVC_USER_UNKNOWN: true
  /** CLI: the identifier is taken. Fix: choose another identifier. */
  SVC_USER_EXISTS: true
  /** CLI: the application has no user accounts. Fix: list `session` in a zone. */
  SVC_USER_NO_ACCOUNTS: true
  /** CLI: users are stored in memory and would be lost when the command ends. Fix: `npx svc module:add sql`. */
  SVC_USER_VOLATILE: true
  /** CLI: your application loads its users itself, from `parts.users` or `users.entity`. Fix: create the user there. */
  SVC_USER_FOREIGN: true
  /**
   * CLI, 2: `npx svc explain` needs the method and the path of a request. Fix: `npx svc explain GET /api/hello --as
   * alice`.
   */
  SVC_EXPLAIN_REQUEST: true
  /**
   * CLI: the files could not be written; no partial files are left. Fix: read the message; check the folder and its
   * permissions.
   */
  SVC_CREATE_FAILED: true
  /** CLI, 2: no page and no error code has this name. Fix: `npx svc docs` lists both. */
  SVC_DOCS_UNKNOWN: true
  /**
   * CLI, 2: `npx svc module:add` does not know this module. Fix: use a name from the message; add other modules by
   * hand.
   */
  SVC_MODULE_UNKNOWN: true
  /** CLI: the config already lists the module. Fix: nothing to do. */
  SVC_MODULE_LISTED: true
  /**
   * CLI: `npx svc module:add` cannot edit this list of modules safely; nothing was changed. Fix: add the lines that
   * the message shows.
   */
  SVC_MODULE_EDIT: true
  /** CLI: `svc openapi` in an application without svc-openapi. Fix: `npx svc module:add openapi`. */
  SVC_OPENAPI_ABSENT: true
  /** CLI, 2: an option of `svc openapi` cannot be used; the message says what it expects. Fix: correct it. */
  SVC_OPENAPI_USAGE: true
  /**
   * CLI: of the changes since the document of `--against`, some can break a client. Fix: keep what clients use, or add a
   * new version of the operation beside it.
   */
  SVC_OPENAPI_BREAKING: true
  /** CLI: the server of `svc openapi --check` does not answer. Fix: start it, or correct the address. */
  SVC_OPENAPI_UNREACHABLE: true
  /** CLI: answers of the server differ from the document. Fix: correct the schemas of the routes that are listed. */
  SVC_OPENAPI_UNTRUE: true
  /** CLI, 2: the command needs an API key of a running server. Fix: set `SVC_API_KEY`. */
  SVC_HOOKS_KEY: true
  /**
   * CLI, 2: `--url`, or `SVC_URL`, is not the address of a server. Fix: give `http://` or `https://`, host and port.
   */
  SVC_HOOKS_URL: true
  /** CLI, 2: `--since` or `--until` is not a time. Fix: give ISO 8601, or milliseconds since 1970. */
  SVC_HOOKS_TIME: true
  /** CLI, 2: `--forward` is not a URL. Fix: give a URL with `http://` or `https://`. */
  SVC_HOOKS_FORWARD: true
  /** CLI: the server does not answer. Fix: start it, or name another one with `--url`. */
  SVC_HOOKS_UNREACHABLE: true
  /**
   * CLI: the server refused the request; the message shows its code and text. Fix: `npx svc docs <code>` with that
   * code.
   */
  SVC_HOOKS_REFUSED: true
  /**
   * CLI: a recovery was stopped, failed, or could not deliver every message. Fix: `npx svc webhooks tail <id>` shows
   * why.
   */
  SVC_HOOKS_RECOVERY: true
  /**
   * CLI: the server does not send to this machine. Fix: in development only, set `allowHttp: true, allowCidrs:
   * ['127.0.0.0/8']` of svc-webhooks.
   */
  SVC_HOOKS_LISTEN: true
  /**
   * CLI: `npx svc orm:reset` deletes data and runs in development only; nothing was touched. Fix: to keep the data,
   * write a migration with `npx svc orm:diff`.
   */
  SVC_RESET_MODE: true
  /** CLI: the application lists no database. Fix: `npx svc module:add sql`. */
  SVC_RESET_NONE: true
  /** CLI: a database cannot be reached; nothing was touched. Fix: start the database. */
  SVC_RESET_UNREACHABLE: true
  /** CLI: you did not confirm the reset, or there is no terminal to ask. Fix: type `yes`, or add `--yes`. */
  SVC_RESET_DECLINED: true
  /** CLI: the application has no svc-orm, so there is nothing to migrate. Fix: `npx svc module:add sql`. */
  SVC_MIGRATE_NONE: true
  /** CLI: the application has no svc-orm, so there is nothing to seed. Fix: `npx svc module:add sql`. */
  SVC_SEED_NONE: true
  /** CLI: the application has no svc-orm, so there is nothing to encrypt. Fix: `npx svc module:add sql`. */
  SVC_SEAL_NONE: true
  /**
   * CLI: values of sealed fields could not be encrypted, because no key of the list opens them, or because another row
   * has the same value of a unique field. Fix: add the missing key to the list; change one of the rows.
   */
  SVC_SEAL_LEFT: true
  /** CLI, 2: `--steps` is not a number of migrations. Fix: give 1 or more. */
  SVC_MIGRATE_STEPS: true
  /**
   * CLI: `npx svc orm:rollback` would delete rows or values, and you did not confirm it. Fix: `--dry-run` shows what
   * it deletes, `--yes` runs it.
   */
  SVC_MIGRATE_CONFIRM: true
  /**
   * CLI: `npx svc orm:status` found pending migrations or differences and lists them above the message. Fix: apply
   * the fix of each line.
   */
  SVC_MIGRATE_OPEN: true
  /**
   * CLI: `npx svc secrets` found stored secrets that the first key does not open. Fix: keep the former keys in the list
   * until a start has encrypted them again.
   */
  SVC_SECRETS_FORMER: true
  /** CLI: rows name a row that does not exist. Fix: `npx svc orm:check --repair`, or correct the rows. */
  SVC_CHECK_DANGLING: true
  /** CLI: rows of a tree are above themselves. Fix: `npx svc orm:check --repair`, or correct the rows. */
  SVC_CHECK_CIRCLES: true
  /** CLI: the repair was not confirmed; nothing was changed. Fix: `npx svc orm:check --repair --yes`. */
  SVC_CHECK_DECLINED: true
  /** CLI: the application has no entities to check. Fix: `npx svc module:add sql`. */
  SVC_CHECK_NONE: true
  /** CLI: the application does not load svc-jobs. Fix: `npx svc module:add jobs`. */
  SVC_JOB_NONE: true
  /**
   * CLI: jobs are stored in the memory of each process, which a command does not see. Fix: `npx svc module:add sql`, or
   * use the admin routes of the running server.
   */
  SVC_JOB_VOLATILE: true
  /** CLI, 2: `--state`, `--limit`, `--body` or `--lane` is not valid. Fix: give what the message expects. */
  SVC_JOB_ARGUMENT: true
}
