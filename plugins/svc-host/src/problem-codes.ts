/** The codes of svc-host that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** 408: a request did not come in whole within `server.requestTimeout`. Fix: send faster, or raise it. */
  SVC_HTTP_408: true
  /** 413: the extensions of a chunk are too large. Fix: correct the client. */
  SVC_HTTP_413: true
  /** 417: an `Expect` other than `100-continue`. Fix: leave it out. */
  SVC_HTTP_417: true
  /** 431: request line and headers are larger than 16 KiB together. Fix: send fewer or smaller ones. */
  SVC_HTTP_431: true
  /**
   * boot: an environment variable of the catalogue is missing or malformed. Fix: set it in `.env` or in the
   * environment.
   */
  SVC_KERNEL_ENV: true
  /**
   * boot: an entry of `modules` is not a plugin, or its options are not an object. Fix: check the import; pass the
   * plugin, or `[plugin, options]`.
   */
  SVC_MODULE_INVALID: true
  /**
   * log: an error came up that nothing handled, at the place that is named; the process stops with exit code 1. Fix:
   * await the promise there, or catch what it rejects with.
   */
  SVC_PROCESS_FAILURE: true
  /** boot: a plugin is listed before one that it needs. Fix: use the order that the message shows. */
  SVC_MODULE_ORDER: true
  /**
   * boot, CLI: a plugin, or what a command is to write, needs another one that is not listed. Fix: list it, as the
   * message says; `svc module:add` does it.
   */
  SVC_MODULE_MISSING: true
  /** boot, CLI: this Node is older than 24. Fix: install Node 24. */
  SVC_NODE_VERSION: true
  /**
   * boot, CLI: the port is in use; the process that holds it is named where the system tells. Fix: stop that process,
   * or choose another port with `PORT=`.
   */
  SVC_PORT_BUSY: true
  /** boot, CLI: this user may not open the port. Fix: choose a port above 1023. */
  SVC_PORT_FORBIDDEN: true
  /** boot, CLI: the host is not an address of this machine. Fix: use `127.0.0.1`, or `0.0.0.0` for all addresses. */
  SVC_HOST_UNKNOWN: true
  /**
   * boot, CLI: `server.https` has no certificate that serves: none in production, one file of two, unreadable, no PEM,
   * or not of this key; or it asks for the certificates of clients without authorities of its own. Fix: name the PEM
   * files in `server.https.key` and `server.https.cert`, and in `server.https.ca` those of the clients' authorities.
   */
  SVC_HTTPS_CERTIFICATE: true
  /**
   * log: the files of the certificate changed and do not serve; the former certificate is served on, and they are looked
   * at again. Fix: correct them; nothing needs a restart.
   */
  SVC_HTTPS_RENEWAL: true
}
