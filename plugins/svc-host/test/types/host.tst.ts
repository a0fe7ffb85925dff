/** What the compiler knows of an application: its environment, its config, its entry. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { type Application, application, checkConfig, defineConfig, readEnv, type SvcConfig } from 'svc-host'
import { expect, test } from 'tstyche'

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
