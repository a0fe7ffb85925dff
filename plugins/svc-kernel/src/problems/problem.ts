/**
 * A mistake of the person who builds or starts the application, told in five
 * parts: what failed, where, got and expected, how to fix it, where to read more.
 */

export interface Problem {
  /** Stable code, `SVC_<AREA>_<WHAT>`. */
  readonly code: string
  /** One sentence: what failed. */
  readonly message: string
  /** `file:line`, option path or environment name. */
  readonly at?: string | undefined
  /** The lines of the source around the place. */
  readonly frame?: string | undefined
  readonly got?: string | undefined
  readonly expected?: string | undefined
  /** One command, or one line to add. */
  readonly fix?: string | undefined
  /** A page under `docs/`. */
  readonly more?: string | undefined
}
