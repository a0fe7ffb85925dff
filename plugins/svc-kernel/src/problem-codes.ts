/** The codes of svc-kernel that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * 400: a part of the request, or a message, does not fit its schema; `details` names each place. Fix: correct the
   * request.
   */
  SVC_HTTP_VALIDATION: true
  /**
   * 500: something failed that has no status of its own; in production all 5xx look like this. Fix: read the log, it has
   * the cause.
   */
  SVC_HTTP_INTERNAL: true
  /**
   * that status: an error with a status and no code of its own was thrown. Fix: give the error a code, if a client is
   * to tell it apart.
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
   * boot: a decorator of this name is there already, of another plugin or of the application: `request.user` of
   * `@fastify/jwt`, for example. Fix: give the other one another name; docs/reference/neighbours.md has the options.
   */
  SVC_DECORATOR_TAKEN: true
  /**
   * boot: a database or key folder is in the build or in the working directory, and not in the application's folder.
   * Fix: move it, as the message says, or name its absolute path.
   */
  SVC_DATA_MOVED: true
  /** boot: a boot error without a problem of its own. Fix: see its message. */
  SVC_KERNEL_BOOT: true
  /**
   * boot: something that is not one of our problems was thrown while booting. Fix: see its message and place;
   * `--verbose` shows the stack.
   */
  SVC_BOOT_FAILED: true
  /**
   * boot, CLI: an import, or a command, names a package that is not installed. Fix: write the name that was meant, or
   * install it, as the message says.
   */
  SVC_NOT_INSTALLED: true
  /** CLI: a source file does not compile. Fix: correct it at the place given. */
  SVC_SOURCE_SYNTAX: true
}
