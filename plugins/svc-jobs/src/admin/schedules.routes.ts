/** Schedules for administrators: with their next slots, paused, resumed, and run outside of their slots. */
import type { FastifyInstance } from 'fastify'
import { flag, object, textUpTo } from 'svc-kernel/schemas'
import { ScheduleBusy, ScheduleNotFound } from '../schedules/errors.ts'
import type { Schedules } from '../schedules/schedules.ts'
import { auditChange, changingRoute, JOBS_API, readingRoute } from './admin-change.ts'
import * as answers from './answers.ts'

const params = object({ name: textUpTo(200) })

interface ByName {
  readonly Params: { readonly name: string }
}

export function scheduleRoutes(fastify: FastifyInstance, schedules: Schedules): void {
  fastify.get<{ Querystring: { system?: boolean } }>(
    `${JOBS_API}/schedules`,
    readingRoute(
      'schedules',
      'Schedules with their next slots',
      { querystring: object({}, { system: flag }), response: { 200: answers.schedules } },
      ['system']
    ),
    async ({ query }, reply) => {
      reply.header('cache-control', 'no-store')
      return { schedules: await schedules.list(query) }
    }
  )

  const pause = (name: 'pause' | 'resume', action: string, summary: string) =>
    fastify.post<ByName>(
      `${JOBS_API}/schedules/:name/${name}`,
      changingRoute(`schedules.${name}`, summary, {
        params,
        response: { 204: { type: 'null', description: 'it is done' } },
        errors: [ScheduleNotFound]
      }),
      async (request, reply) => {
        await schedules[name](request.params.name)
        auditChange(request, action, request.params.name)
        return reply.code(204).send()
      }
    )
  pause('pause', 'schedule.paused', 'Pause a schedule: its slots get no job')
  pause('resume', 'schedule.resumed', 'Resume a schedule')

  fastify.post<ByName>(
    `${JOBS_API}/schedules/:name/run`,
    changingRoute('schedules.run', 'Add the job of a schedule outside of its slots', {
      params,
      response: { 202: answers.added },
      errors: [ScheduleNotFound, ScheduleBusy]
    }),
    async (request, reply) => {
      const job = await schedules.runNow(request.params.name)
      auditChange(request, 'schedule.run', request.params.name)
      return reply.code(202).header('location', `${JOBS_API}/jobs/${job.id}`).send(job)
    }
  )
}
