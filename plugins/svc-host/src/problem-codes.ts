/** The codes of svc-host that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * 408: a request did not arrive completely within `server.requestTimeout`. Fix: send it faster, or raise
   * `server.requestTimeout`.
   */
  SVC_HTTP_408: true
  /** 413: the extensions of a chunk are too large. Fix: correct the client. */
  SVC_HTTP_413: true
  /** 417: the request has an `Expect` header other than `100-continue`. Fix: remove the header. */
  SVC_HTTP_417: true
  /** 431: request line and headers together exceed 16 KiB. Fix: send fewer or smaller headers. */
  SVC_HTTP_431: true
  /**
   * boot: an environment variable that `env.ts` declares is missing or malformed. Fix: set it in `.env` or in the
   * environment.
   */
  SVC_KERNEL_ENV: true
  /**
   * boot: an entry of `modules` is not a plugin, or its options are not an object. Fix: check the import; pass the
   * plugin, or `[plugin, options]`.
   */
  SVC_MODULE_INVALID: true
  /**
   * log: an error was thrown, or a promise rejected, and nothing handled it; the process stops with exit code 1. Fix:
   * handle the error at the place in the message: await the promise, or catch its rejection.
   */
  SVC_PROCESS_FAILURE: true
  /** boot: `modules` lists a plugin before a plugin that it needs. Fix: use the order in the message. */
  SVC_MODULE_ORDER: true
  /**
   * boot, CLI: a plugin, or a generated file, needs a plugin that `modules` does not list. Fix: `npx svc module:add
   * <name>`, as the message says.
   */
  SVC_MODULE_MISSING: true
  /** boot, CLI: this Node is older than 24. Fix: install Node 24. */
  SVC_NODE_VERSION: true
  /**
   * boot, CLI: the port is in use; the message names the process, if the system tells. Fix: stop that process, or
   * choose another port with `PORT=`.
   */
  SVC_PORT_BUSY: true
  /** boot, CLI: your user may not open the port. Fix: choose a port above 1023. */
  SVC_PORT_FORBIDDEN: true
  /** boot, CLI: the host is not an address of this machine. Fix: use `127.0.0.1`, or `0.0.0.0` for all addresses. */
  SVC_HOST_UNKNOWN: true
  /**
   * boot, CLI: `server.https` has no usable certificate: missing in production, one file of two, unreadable, not PEM,
   * or not matching the key; or it asks clients for certificates without naming authorities. Fix: set
   * `server.https.key` and `server.https.cert` to PEM files, and `server.https.ca` to the authorities of the clients.
   */
  SVC_HTTPS_CERTIFICATE: true
  /**
   * log: the certificate files changed and cannot be used; the server keeps the previous certificate and checks the
   * files again. Fix: correct the files; no restart is needed.
   */
  SVC_HTTPS_RENEWAL: true
}
