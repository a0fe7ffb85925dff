/** What the compiler knows of the kernel: augmentations, ports, plugins. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, RouteOptions } from 'fastify'
import {
  type AccessGate,
  type AccessToken,
  type AppHost,
  type AuditPort,
  currentUser,
  definePlugin,
  guardHooks,
  type Requirement,
  type RouteSecurity,
  type User
} from 'svc-kernel'
import { type JuryPort, toUser } from 'svc-kernel/plugin'
import { expect, test } from 'tstyche'

test('requests carry an identity that may be absent', () => {
  expect<FastifyRequest['user']>().type.toBe<User | null>()
  expect<FastifyRequest['token']>().type.toBe<AccessToken | null>()
  expect(currentUser()).type.toBe<User>()
  expect(toUser({})).type.toBe<User | null>()
})

test('an identity and a token cannot be written to', () => {
  expect<User>().type.toBe<{ readonly identifier: string; readonly roles: readonly string[] }>()
  expect<AccessToken['tenantId']>().type.toBe<unknown>()
})

test('instances carry the gate and the ports', () => {
  expect<FastifyInstance['accessGate']>().type.toBe<AccessGate>()
  expect<FastifyInstance['appHost']>().type.toBe<AppHost>()
  expect<FastifyInstance['audit']>().type.toBe<AuditPort>()
  expect<FastifyInstance['jury']>().type.toBe<JuryPort>()
})

test('routes carry what a controller said', () => {
  expect<NonNullable<RouteOptions['config']>['svc']>().type.toBe<RouteSecurity | undefined>()
  expect<RouteOptions>().type.toBeAssignableFrom({
    method: 'GET',
    url: '/',
    handler: () => 'x',
    ...guardHooks([[{ attribute: 'ROLE_A', subject: 'id' }]])
  })
})

test('a requirement is clauses of attributes', () => {
  expect<Requirement>().type.toBeAssignableFrom([[{ attribute: 'ROLE_A' }]])
  expect<Requirement>().type.not.toBeAssignableFrom([{ attribute: 'ROLE_A' }])
  expect<Requirement>().type.not.toBeAssignableFrom(['ROLE_A'])
})

test('a plugin keeps the type of its options', () => {
  const plugin = definePlugin<{ size: number }>(async (_fastify, { size }) => void size, {
    name: 'svc-x',
    optionsSchema: {}
  })
  expect(plugin).type.toBe<FastifyPluginAsync<{ size: number }>>()
  expect(definePlugin).type.toBeCallableWith(async () => {}, { name: 'svc-x' })
  expect(definePlugin).type.not.toBeCallableWith(async () => {}, {})
})
