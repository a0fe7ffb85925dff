/** What the boot of an application warns of: logged at once, and kept at `fastify.bootWarnings` for who asks later. */
import { isDeepStrictEqual } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { type Problem, warnProblem } from './problem.ts'

/** Where warnings go: an application, or its list beside another log. */
export type BootReport = Pick<FastifyInstance, 'log' | 'bootWarnings'>

/**
 * A problem that does not stop the boot; the same line in the log as `warnProblem` writes. One that comes again, as when a
 * database is back, is kept once.
 */
export function warnAtBoot({ log, bootWarnings }: BootReport, problem: Problem): void {
  if (!bootWarnings.some((known) => isDeepStrictEqual(known, problem))) bootWarnings.push(problem)
  warnProblem(log, problem)
}
