/** The codes of svc-openapi that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: schemas that the API description leaves out, each with its route and the reason: a library without an export of
   * JSON Schema, or one that fails. The route works. Fix: as the reason says, or write that schema as JSON Schema.
   */
  SVC_OPENAPI_SCHEMA: true
}
