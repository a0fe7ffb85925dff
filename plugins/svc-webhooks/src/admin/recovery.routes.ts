/** Recoveries over HTTP: begun, looked at, cancelled. An undeclared field never leaves. */
import type { FastifyInstance } from 'fastify'
import { object, textUpTo } from 'svc-kernel/schemas'
import { BadRange, RecoveryNotFound, RecoveryRunning, WebhookNotFound } from '../errors.ts'
import { MISSED, type RecoveryRange } from '../recovery/missed-events.ts'
import { type ById, pathOf, type RegistryDoor } from './admin-route.ts'
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

export function recoveryRoutes(fastify: FastifyInstance, door: RegistryDoor): void {
  fastify.post<ById & { Body: Omit<RecoveryRange, 'until'> & { readonly until?: number } }>(
    `${door.base}/:id/recover`,
    {
      ...door.changing('recover'),
      bodyLimit: BODY_LIMIT,
      schema: door.described('Send again the messages that an endpoint missed in a time range', {
        params: idParams,
        body: recoverBody,
        response: { 202: answers.recovery },
        errors: [BadRange, WebhookNotFound, RecoveryRunning]
      })
    },
    async (request, reply) => {
      const { id } = request.params
      const recovery = await (await door.registry(request)).recover(id, request.body)
      reply.code(202).header('location', `${pathOf(request)}/${recovery.id}`)
      return recovery
    }
  )

  fastify.get<ByJob>(
    `${door.base}/:id/recover/:job`,
    {
      ...door.reading('recovery'),
      schema: door.described('Progress of a recovery', {
        params: jobParams,
        response: { 200: answers.recovery },
        errors: [RecoveryNotFound]
      })
    },
    async (request) => (await door.registry(request)).recovery(request.params.id, request.params.job)
  )

  fastify.delete<ByJob>(
    `${door.base}/:id/recover/:job`,
    {
      ...door.changing('cancel-recovery'),
      bodyLimit: BODY_LIMIT,
      schema: door.described('Cancel a recovery', {
        params: jobParams,
        response: { 200: answers.recovery },
        errors: [RecoveryNotFound]
      })
    },
    async (request) => (await door.registry(request)).cancelRecovery(request.params.id, request.params.job)
  )
}
