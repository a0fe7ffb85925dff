/** The codes of svc-decorators that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** boot: `svc-decorators` has neither `controllers` nor `dir`. Fix: add `dir: './controllers'` to its options. */
  SVC_CONTROLLER_NONE: true
  /** boot: `controllers` is not a list, or an entry is not a class. Fix: check the import of the entry. */
  SVC_CONTROLLER_INVALID: true
  /** boot: the folder in `dir` does not exist. Fix: create it, or correct `dir`. */
  SVC_CONTROLLER_DIR: true
  /**
   * boot: a file in the folder exports no class with `@controller`. Fix: export the class; start the name of a helper
   * file with `_`.
   */
  SVC_CONTROLLER_NOT_LOADED: true
  /**
   * boot: a controller file threw while it was loaded; the report shows its message and place. Fix: correct it at
   * that place.
   */
  SVC_CONTROLLER_FAILED: true
  /** boot: a class in `controllers` has no `@controller`. Fix: put `@controller('/prefix')` above it. */
  SVC_CONTROLLER_UNDECLARED: true
  /**
   * boot: two methods have the same HTTP method and path; the report shows both places. Fix: change the path of one,
   * or remove it.
   */
  SVC_ROUTE_DUPLICATE: true
  /**
   * boot: the GET and WEBSOCKET routes of one path differ in guard, parameter names or schema. Fix: make them equal,
   * or use two paths.
   */
  SVC_ROUTE_TRANSPORT: true
  /** boot: a route has no method, or an unknown one. Fix: use a method from the message. */
  SVC_ROUTE_METHOD: true
  /** boot: a prefix or path can match no request. Fix: start it with a slash, such as `/articles/:id`. */
  SVC_ROUTE_PATH: true
  /**
   * boot: a job has no usable name, another one has it, its method has a parameter that no job has, or a guard that its
   * schedule cannot pass. Fix: follow the message.
   */
  SVC_JOB_METHOD: true
  /** boot: two routes have the same name, or a name is not a text. Fix: rename one. */
  SVC_ROUTE_NAME: true
  /**
   * boot: a route option is unknown, or is `config.svc`, which svc reserves for guards. Fix: correct or remove the
   * key.
   */
  SVC_ROUTE_OPTION: true
  /**
   * boot: a schema cannot be used: `schema.body` on a method without a body, a schema given twice, neither JSON
   * Schema nor a Standard Schema, or a response schema that its library cannot export. A warning if the application's
   * validator compiler cannot read the JSON Schema of a controller. Fix: follow the message.
   */
  SVC_ROUTE_SCHEMA: true
  /**
   * boot: a parameter has no decorator, or one that can never have a value on this route. Fix: decorate it; `@Ctx()`
   * injects request and reply.
   */
  SVC_ROUTE_PARAMETER: true
  /** boot: a method has a guard or parameter decorators, and no route. Fix: add a route, or remove the decorator. */
  SVC_ROUTE_MISSING: true
  /**
   * boot: a decorator is on a static method, a property, the class or the constructor, where it has no effect. Fix:
   * move it to an instance method.
   */
  SVC_ROUTE_MISPLACED: true
  /** boot: a method is both public and guarded. Fix: remove one decorator. */
  SVC_GUARD_CONFLICT: true
  /**
   * boot: a guard has no attribute, or an empty one, so it refuses everyone. Fix: name an attribute, or remove the
   * guard.
   */
  SVC_GUARD_EMPTY: true
  /**
   * boot: the argument of `@RequireScope` does not have the form `api:action`. Fix: use `@IsGranted` for a role or a
   * verb.
   */
  SVC_GUARD_SCOPE: true
  /**
   * boot: the argument of `@Fresh` is no number of seconds, or that of `@Factor` no factor. Fix: use `@Fresh(300)`, or
   * `@Factor('any')`.
   */
  SVC_GUARD_PROOF: true
  /**
   * boot: the subject of a guard is not a parameter of the route. Fix: add the parameter to the path, or correct the
   * name.
   */
  SVC_GUARD_SUBJECT: true
}
