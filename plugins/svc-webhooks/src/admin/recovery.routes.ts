/** Recoveries over HTTP: begun, looked at, cancelled. An undeclared field never leaves. */
import type { FastifyInstance } from 'fastify'
import type { GatesPort } from 'svc-kernel/plugin'
import { object, textUpTo } from 'svc-kernel/schemas'
import { BadRange, RecoveryNotFound, RecoveryRunning, WebhookNotFound } from '../errors.ts'
import { MISSED, type RecoveryRange } from '../recovery/missed-events.ts'
import type { Webhooks } from '../webhooks.ts'
import { type ById, changingRoute, described, readingRoute, WEBHOOKS_API } from './admin-route.ts'
import * as answers from './answers.ts'
import { idParams } from './endpoint-schemas.ts'

const time = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

const recoverBody = {
  type: 'object',
  required: ['since'],
  additionalProperties: false,
  properties: {
    since: { ...time, description: 'time of the first event, epoch ms' },
    until: { ...time, description: 'time of the last event, epoch ms; default now' },
    status: { enum: MISSED, description: 'only failed or only missing messages; default both' }
  }
} as const

const jobParams = object({ ...idParams.properties, job: textUpTo(200) })

const BODY_LIMIT = 1024

interface ByJob {
  readonly Params: { readonly id: string; readonly job: string }
}

export function recoveryRoutes(fastify: FastifyInstance, webhooks: Webhooks, gates: GatesPort | null): void {
  fastify.post<ById & { Body: Omit<RecoveryRange, 'until'> & { readonly until?: number } }>(
    `${WEBHOOKS_API}/:id/recover`,
    {
      ...changingRoute('recover', gates),
      bodyLimit: BODY_LIMIT,
      schema: described('Send again the messages that an endpoint missed in a time range', {
        params: idParams,
        body: recoverBody,
        response: { 202: answers.recovery },
        errors: [BadRange, WebhookNotFound, RecoveryRunning]
      })
    },
    async (request, reply) => {
      const { id } = request.params
      const recovery = await webhooks.recover(id, request.body)
      reply.code(202).header('location', `${WEBHOOKS_API}/${id}/recover/${recovery.id}`)
      return recovery
    }
  )

  fastify.get<ByJob>(
    `${WEBHOOKS_API}/:id/recover/:job`,
    {
      ...readingRoute('recovery'),
      schema: described('Progress of a recovery', {
        params: jobParams,
        response: { 200: answers.recovery },
        errors: [RecoveryNotFound]
      })
    },
    async (request) => webhooks.recovery(request.params.id, request.params.job)
  )

  fastify.delete<ByJob>(
    `${WEBHOOKS_API}/:id/recover/:job`,
    {
      ...changingRoute('cancel-recovery', gates),
      bodyLimit: BODY_LIMIT,
      schema: described('Cancel a recovery', {
        params: jobParams,
        response: { 200: answers.recovery },
        errors: [RecoveryNotFound]
      })
    },
    async (request) => webhooks.cancelRecovery(request.params.id, request.params.job)
  )
}
