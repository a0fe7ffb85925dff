/** The types of declared events, in emissions and at receivers. */
import type { FastifyInstance } from 'fastify'
import { defineEvents, type EventsOf } from 'svc-events'
import { type ReceivedEvent, verifyEvent } from 'svc-events/verify'
import { expect, test } from 'tstyche'
import { z } from 'zod'

const events = defineEvents({
  'ticket.created': { data: z.object({ title: z.string() }), version: 1 },
  'ticket.closed': { data: z.object({ at: z.number() }), version: 1 }
})

declare module 'svc-events' {
  interface ApplicationEvents extends EventsOf<typeof events> {}
}

declare const fastify: FastifyInstance
declare const request: ReceivedEvent

test('an emission takes declared events and their data alone', () => {
  const organization = { organization: 'acme' }
  expect(fastify.events.emit).type.toBeCallableWith('ticket.created' as const, { title: 'a' }, organization)
  expect(fastify.events.emit).type.not.toBeCallableWith('ticket.created' as const, { at: 1 }, organization)
  expect(fastify.events.emit).type.not.toBeCallableWith('ticket.lost' as const, { title: 'a' }, organization)
  expect(fastify.events.emit).type.not.toBeCallableWith('ticket.created' as const, { title: 'a' }, {})
})

test('a receiver knows the data by the type of the event', async () => {
  const event = await verifyEvent<typeof events>(request, 'whsec_')
  if (event.type === 'ticket.closed') expect(event.data).type.toBe<{ at: number }>()
  if (event.type === 'webhook.test') expect(event.data).type.toBe<unknown>()
})
