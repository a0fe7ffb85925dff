/** What the boot of an application warns of: logged at once, and kept at `fastify.bootWarnings` for who asks later. */
import type { FastifyInstance } from 'fastify'
import { type Problem, warnProblem } from './problem.ts'

/** A problem that does not stop the boot; the same line in the log as `warnProblem` writes. */
export function warnAtBoot(fastify: FastifyInstance, problem: Problem): void {
  fastify.bootWarnings.push(problem)
  warnProblem(fastify.log, problem)
}
