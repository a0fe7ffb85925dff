/** What the compiler knows of the kernel: augmentations, catalogues, configs. */
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, RouteOptions } from 'fastify'
import {
  type AccessGate,
  type AccessToken,
  type AppHost,
  type Application,
  type AuditPort,
  application,
  checkConfig,
  currentUser,
  defineConfig,
  definePlugin,
  guardHooks,
  type JuryPort,
  type Requirement,
  type RouteSecurity,
  readEnv,
  type SvcConfig,
  toUser,
  type User
} from 'svc-kernel'
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

test('the environment has the types of its catalogue', () => {
  const env = readEnv(
    {},
    {
      PORT: { type: 'integer', default: 5151, min: 0 },
      HOST: { type: 'string', default: '127.0.0.1' },
      VERBOSE: { type: 'boolean', default: false },
      NODE_ENV: { type: 'enum', values: ['development', 'production'], default: 'production' },
      KEY: { type: 'string', secret: true, optional: true }
    }
  )
  expect(env).type.toBe<{
    readonly PORT: number
    readonly HOST: string
    readonly VERBOSE: boolean
    readonly NODE_ENV: 'development' | 'production'
    readonly KEY: string | undefined
  }>()
})

test('a catalogue that contradicts itself does not compile', () => {
  expect(readEnv).type.not.toBeCallableWith({}, { PORT: { type: 'integer', default: '5151' } })
  expect(readEnv).type.not.toBeCallableWith({}, { PORT: { type: 'number' } })
  expect(readEnv).type.not.toBeCallableWith({}, { MODE: { type: 'enum' } })
})

test('a config takes plugins, alone or with options', () => {
  const plugin: FastifyPluginAsync<{ size: number }> = async () => {}
  expect(defineConfig).type.toBeCallableWith({ modules: [plugin, [plugin, { size: 1 }]] })
  expect(defineConfig).type.toBeCallableWith({ mode: 'test', server: { port: 0, bodyLimit: 1 }, modules: [] })
  expect(defineConfig).type.not.toBeCallableWith({ modules: ['svc-security'] })
  expect(defineConfig).type.not.toBeCallableWith({ mode: 'staging', modules: [] })
  expect(defineConfig).type.not.toBeCallableWith({ server: { prot: 1 }, modules: [] })
  expect(defineConfig).type.not.toBeCallableWith({ server: { serverFactory: () => {} }, modules: [] })
  expect(defineConfig).type.not.toBeCallableWith({})
  expect(defineConfig({ modules: [] })).type.toBe<Readonly<SvcConfig>>()
})

test('an application is a plugin that knows its config and its folder', () => {
  const app = application({ modules: [] }, import.meta.url)
  expect(app).type.toBe<Application>()
  expect<Application>().type.toBeAssignableTo<(fastify: FastifyInstance) => Promise<void>>()
  expect(app.config).type.toBe<SvcConfig>()
  expect(checkConfig(app.config).problems[0]?.at).type.toBe<string | undefined>()
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
