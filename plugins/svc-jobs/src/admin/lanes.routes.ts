/** Lanes for administrators: what waits in them, paused and resumed over all instances. */
import type { FastifyInstance } from 'fastify'
import { flag, object, textUpTo } from 'svc-kernel/schemas'
import { LanesUnsupported } from 'svc-queue'
import { LONGEST_LANE } from '../definitions/lane-name.ts'
import { InvalidLane } from '../errors.ts'
import type { LaneQuery, Lanes } from '../lanes/lanes.ts'
import { auditChange, changingRoute, JOBS_API, readingRoute } from './admin-change.ts'
import * as answers from './answers.ts'

const params = object({ lane: textUpTo(LONGEST_LANE) })

const querystring = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
    after: textUpTo(LONGEST_LANE),
    system: flag
  }
} as const

export function laneRoutes(fastify: FastifyInstance, lanes: Lanes): void {
  fastify.get<{ Querystring: LaneQuery }>(
    `${JOBS_API}/lanes`,
    readingRoute(
      'lanes',
      'Lanes by name, with what waits and runs in them and their limits',
      { querystring, response: { 200: answers.lanes }, errors: [LanesUnsupported] },
      Object.keys(querystring.properties)
    ),
    async ({ query }, reply) => {
      reply.header('cache-control', 'no-store')
      return lanes.list(query)
    }
  )

  const change = (name: 'pause' | 'resume', action: string, summary: string) =>
    fastify.post<{ Params: { readonly lane: string } }>(
      `${JOBS_API}/lanes/:lane/${name}`,
      changingRoute(`lanes.${name}`, summary, {
        params,
        response: { 204: { type: 'null', description: 'it is done' } },
        errors: [InvalidLane, LanesUnsupported]
      }),
      async (request, reply) => {
        await lanes[name](request.params.lane)
        auditChange(request, action, request.params.lane)
        return reply.code(204).send()
      }
    )
  change('pause', 'lane.paused', 'Pause a lane: what runs goes on, and no instance begins another job of it')
  change('resume', 'lane.resumed', 'Resume a lane')
}
