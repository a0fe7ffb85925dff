/** The codes of svc-orm that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /** boot: a definition has an unknown, missing or malformed key. Fix: correct it at that place. */
  SVC_ENTITY_INVALID: true
  /** boot: a field or a relation has a name that is taken, or that is no name. Fix: rename it. */
  SVC_ENTITY_NAME: true
  /** boot: the settings of a field contradict each other. Fix: correct them. */
  SVC_ENTITY_FIELD: true
  /**
   * boot: a relation points nowhere, has no way back, or is many-to-many. Fix: declare an entity for the pair, or
   * correct the relation.
   */
  SVC_ENTITY_RELATION: true
  /** boot: an index names what is no field, a list or JSON. Fix: correct the index. */
  SVC_ENTITY_INDEX: true
  /**
   * boot: two entities of one connector have one name, or names that make one table. Fix: rename one, or give it
   * another connector.
   */
  SVC_ENTITY_DUPLICATE: true
  /**
   * boot: an entity names a connector that is not registered, or there is none at all. Fix: register a driver; correct
   * the name.
   */
  SVC_ENTITY_CONNECTOR: true
  /**
   * boot: a class was declared for a connector that cannot read it. Fix: declare it with `defineEntity`, or name its
   * connector.
   */
  SVC_ENTITY_NATIVE: true
  /**
   * warning: the folder named by `svc-orm.dir` does not exist: no entities are declared. Fix: `svc create entity`, or
   * correct `dir`.
   */
  SVC_ENTITY_DIR: true
  /** boot: an entity file threw when it was loaded. Fix: correct it at that place. */
  SVC_ENTITY_FAILED: true
}
