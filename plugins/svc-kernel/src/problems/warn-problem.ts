/** A problem that does not stop the boot: one WARN line with the same fields. */
import type { FastifyBaseLogger } from 'fastify'
import type { Problem } from './problem.ts'

export function warnProblem(log: FastifyBaseLogger, problem: Problem): void {
  const { message, ...fields } = problem
  log.warn(fields, message)
}
