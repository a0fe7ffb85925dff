/** The codes of svc-kernel that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * 400: a part of the request, or a message, does not match its schema; `details` names each place. Fix: correct the
   * request.
   */
  SVC_HTTP_VALIDATION: true
  /**
   * 500: the request failed with an error that has no status; in production every 5xx looks like this. Fix: read the
   * cause in the log.
   */
  SVC_HTTP_INTERNAL: true
  /**
   * that status: the application threw an error with a status and without a code. Fix: give the error a `code`, if
   * clients need to recognise it.
   */
  'SVC_HTTP_<status>': true
  /**
   * boot: an option is unknown, missing or malformed; the path of its key is given. Fix: correct the key, see
   * docs/reference/options.md.
   */
  SVC_KERNEL_OPTIONS: true
  /** boot: a plugin is listed, or registered, twice. Fix: remove one entry, or one `fastify.register`. */
  SVC_MODULE_DUPLICATE: true
  /**
   * boot: two plugins, or a plugin and your application, add a decorator with the same name, such as `request.user`
   * of `@fastify/jwt`. Fix: rename the other decorator; docs/reference/neighbours.md lists the option of each plugin.
   */
  SVC_DECORATOR_TAKEN: true
  /**
   * boot: a database or key folder lies in the build or in the working directory instead of the application's folder.
   * Fix: run the command in the message, or configure an absolute path.
   */
  SVC_DATA_MOVED: true
  /**
   * boot: a route has a rate limit, but no plugin counts it. Fix: `npx svc module:add limits`, or register svc-limits.
   */
  SVC_LIMIT_ENGINE: true
  /** boot: a method of a controller is a job, but no plugin runs it. Fix: `npx svc module:add jobs`, or register svc-jobs. */
  SVC_JOBS_ENGINE: true
  /** boot: the boot failed with an error that has no problem report. Fix: read its message. */
  SVC_KERNEL_BOOT: true
  /**
   * boot: the boot failed with an error from outside svc. Fix: read its message and place; `--verbose` shows the
   * stack.
   */
  SVC_BOOT_FAILED: true
  /**
   * boot, CLI: an import, or a command, names a package that is not installed. Fix: correct the name, or run the `npm
   * install` of the message.
   */
  SVC_NOT_INSTALLED: true
  /** CLI: a source file does not compile. Fix: correct it at the place in the message. */
  SVC_SOURCE_SYNTAX: true
}
