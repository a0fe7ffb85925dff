/** The codes of svc-openapi that are no error class: problems of the boot, warnings, lines of the log. */
export interface ProblemCodes {
  /**
   * log: the API description omits some schemas; the line lists each with its route and reason: a library without a
   * JSON Schema export, or a failed export. The route works. Fix: follow the reason, or write the schema as JSON
   * Schema.
   */
  SVC_OPENAPI_SCHEMA: true
  /**
   * log: in development, when the API description is first read: examples that their schemas refuse; the line lists each
   * with its operation and place. Fix: correct the example, or the schema.
   */
  SVC_OPENAPI_EXAMPLE: true
}
