/**
 * A mistake of the person who builds or starts the application, reported in five
 * parts: what failed, where, got and expected, how to fix it, where to read more.
 */
import type { FastifyBaseLogger } from 'fastify'

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
  /** A command that prints more: `npx svc-cli docs <page>`. Without it, that of the code is shown. */
  readonly more?: string | undefined
}

/** A problem that does not stop the boot: one WARN line with the same fields. */
export function warnProblem(log: FastifyBaseLogger, problem: Problem): void {
  const { message, ...fields } = problem
  log.warn(fields, message)
}
