/** The types producers, listeners and administrators meet. */
import type { FastifyInstance } from 'fastify'
import svcAudit, { type AuditAction, type AuditCategory, type Journal, type SvcAuditOptions } from 'svc-audit'
import type { AuditEvent, AuditPort } from 'svc-kernel'
import { expect, test } from 'tstyche'

declare const fastify: FastifyInstance

test('the journal is the port of the kernel', () => {
  expect<AuditPort>().type.toBeAssignableFrom<Journal>()
  expect(fastify.audit).type.toBe<AuditPort>()
})

test('a record needs its category, action and outcome', () => {
  expect(fastify.audit.record).type.toBeCallableWith({ category: 'auth', action: 'logout', outcome: 'success' })
  expect(fastify.audit.record).type.not.toBeCallableWith({ category: 'auth', action: 'logout' })
  expect(fastify.audit.record).type.not.toBeCallableWith({ category: 'auth', action: 'logout', outcome: 'ok' })
  expect(fastify.audit.record({ category: 'auth', action: 'logout', outcome: 'success' })).type.toBe<void>()
})

test('a listener gets the whole event, which nobody changes', () => {
  fastify.audit.subscribe((event) => {
    expect(event).type.toBe<AuditEvent>()
    expect(event.actor).type.toBe<string | null>()
  })
  expect(fastify.audit.subscribe(() => {})).type.toBe<() => void>()
  expect(fastify.audit.recent(1)).type.toBe<readonly AuditEvent[]>()
})

test('the catalogue is a closed set', () => {
  expect<AuditAction>().type.toBeAssignableFrom<'login.failure'>()
  expect<AuditAction>().type.not.toBeAssignableFrom<'order.paid'>()
  expect<AuditCategory>().type.toBe<
    'auth' | 'authz' | 'token' | 'session' | 'webauthn' | 'oauth' | 'csrf' | 'cors' | 'ws' | 'webhook' | 'config'
  >()
})

test('options', () => {
  expect(fastify.register(svcAudit, { store: 'auto', retentionDays: 30 })).type.not.toRaiseError()
  expect<SvcAuditOptions>().type.not.toBeAssignableFrom({ store: 'mongo' })
})
