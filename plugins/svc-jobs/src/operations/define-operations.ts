/** Makes the methods of controllers that are jobs kinds of jobs, and their `@Cron` schedules. */
import type { FastifyInstance } from 'fastify'
import { BootError } from 'svc-kernel'
import { readableError } from 'svc-kernel/plugin'
import type { JobRegistry } from '../definitions/job-registry.ts'
import type { ScheduleRegistry } from '../schedules/schedule-registry.ts'
import { runOperation } from './run-operation.ts'

/** Once all controllers are registered. @throws BootError (SVC_JOBS_DEFINED) with the problems of all */
export function defineOperations(fastify: FastifyInstance, jobs: JobRegistry, schedules: ScheduleRegistry): void {
  const problems = fastify.jobOperations.declared.flatMap((operation) => {
    const { name, body, settings, source } = operation
    try {
      jobs.add(name, { ...settings, body } as object, runOperation(fastify, operation))
    } catch (error) {
      const { message, code = 'SVC_JOBS_DEFINED' } = readableError(error)
      return [{ code, message, at: source ?? undefined, fix: 'rename it, or correct the option that is named' }]
    }
    for (const schedule of operation.schedules) {
      schedules.add(schedule.name, schedule.cron, { ...schedule.settings, job: name }, source ?? undefined)
    }
    return []
  })
  if (problems.length > 0) throw new BootError(problems)
}
