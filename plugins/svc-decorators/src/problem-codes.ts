/** The codes of svc-decorators that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** boot: `svc-decorators` is registered with neither `controllers` nor `dir`. Fix: give one of them. */
  SVC_CONTROLLER_NONE: true
  /** boot: `controllers` is not a list, or an entry is not a class. Fix: check its import. */
  SVC_CONTROLLER_INVALID: true
  /** boot: the folder named by `dir` does not exist. Fix: create it, or correct `dir`. */
  SVC_CONTROLLER_DIR: true
  /**
   * boot: a file in the folder exports no class with `@controller`. Fix: export the class; begin the file's name with
   * `_` when it holds none.
   */
  SVC_CONTROLLER_NOT_LOADED: true
  /** boot: a controller file threw when it was loaded; message and place are its own. Fix: correct it at that place. */
  SVC_CONTROLLER_FAILED: true
  /** boot: a class was given as a controller and has no `@controller`. Fix: put `@controller('/prefix')` above it. */
  SVC_CONTROLLER_UNDECLARED: true
  /**
   * boot: two methods answer the same method and path; both places are named. Fix: change the path of one, or remove
   * it.
   */
  SVC_ROUTE_DUPLICATE: true
  /**
   * boot: GET and WEBSOCKET of one path differ in guard, parameter names or schema. Fix: make them alike, or use two
   * paths.
   */
  SVC_ROUTE_TRANSPORT: true
  /** boot: a route without a method, or with an unknown one. Fix: use one of the methods that the message lists. */
  SVC_ROUTE_METHOD: true
  /**
   * boot: a prefix or path that no request can match. Fix: write it as the router reads it, such as `/articles/:id`.
   */
  SVC_ROUTE_PATH: true
  /** boot: two routes have one name, or a name is not a text. Fix: rename one. */
  SVC_ROUTE_NAME: true
  /** boot: an unknown route option, or `config.svc`, which the guards own. Fix: correct or remove the key. */
  SVC_ROUTE_OPTION: true
  /**
   * boot: `schema.body` on a method that carries no body, a schema given twice, one that is neither JSON Schema nor a
   * Standard Schema, or one for answers that its library cannot export; a warning where the application's validator
   * compiler does not read the JSON Schema of a controller. Fix: as the message says.
   */
  SVC_ROUTE_SCHEMA: true
  /**
   * boot: a parameter without a decorator, or one that could never hold anything. Fix: decorate it; `@Ctx()` injects
   * request and reply.
   */
  SVC_ROUTE_PARAMETER: true
  /** boot: a method has a guard or parameters, and no route. Fix: add a route, or remove the decorator. */
  SVC_ROUTE_MISSING: true
  /**
   * boot: a decorator on a static method, a property, the class or the constructor, where it cannot work. Fix: put it
   * on a method of the instances.
   */
  SVC_ROUTE_MISPLACED: true
  /** boot: a method is both public and guarded. Fix: remove one. */
  SVC_GUARD_CONFLICT: true
  /**
   * boot: a guard without an attribute, or with an empty one, grants nothing. Fix: name an attribute, or remove the
   * guard.
   */
  SVC_GUARD_EMPTY: true
  /** boot: `@RequireScope` with something that is not `api:action`. Fix: use `@IsGranted` for a role or a verb. */
  SVC_GUARD_SCOPE: true
  /** boot: the subject of a guard is no parameter of the route. Fix: put it in the path, or correct the name. */
  SVC_GUARD_SUBJECT: true
}
