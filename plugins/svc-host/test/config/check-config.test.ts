/** A whole config in one report: its own keys, the server's, the modules'. */

import { readFileSync } from 'node:fs'
import { definePlugin, type Problem } from 'svc-kernel'
import t from 'tap'
import { checkConfig } from '../../src/config/check-config.ts'
import { defineConfig, type SvcConfig } from '../../src/config/define-config.ts'
import { readConfigText } from '../../src/config/locate-problems.ts'
import { serverProperties } from '../../src/options.ts'

const optionsSchema = { type: 'object', additionalProperties: false, properties: { size: { type: 'integer' } } }
const example = definePlugin(async () => {}, { name: 'svc-example', optionsSchema })

type Row = [title: string, config: unknown, problems: Array<Partial<Problem>>]

const rows: readonly Row[] = [
  ['the smallest', { modules: [] }, []],
  [
    'all keys',
    {
      name: 'shop',
      mode: 'test',
      server: {
        host: '::',
        port: 0,
        closeGraceMs: 1,
        logger: false,
        genReqId: () => '1',
        trustProxy: ['10.0.0.0/8'],
        forceCloseConnections: 'idle',
        requestIdHeader: false
      },
      modules: [example]
    },
    []
  ],
  [
    'a key nobody knows',
    { module: [], modules: [] },
    [{ at: 'module', message: 'unknown key (did you mean modules?)', expected: 'name | mode | server | modules' }]
  ],
  ['no modules', { mode: 'test' }, [{ at: 'modules', message: 'missing key' }]],
  [
    'modules that are no list',
    { modules: { example } },
    [{ at: 'modules', got: 'an object', expected: 'a list of plugins' }]
  ],
  [
    'an unknown mode',
    { mode: 'staging', modules: [] },
    [{ at: 'mode', got: '"staging"', expected: 'development | production | test' }]
  ],
  ['an empty name', { name: '', modules: [] }, [{ at: 'name' }]],
  ['a server that is no object', { server: 5151, modules: [] }, [{ at: 'server', got: '5151', expected: 'object' }]],
  [
    'a slip in a server key',
    { server: { prot: 1 }, modules: [] },
    [{ at: 'server.prot', message: 'unknown key (did you mean port?)' }]
  ],
  [
    'a slip in a key of Fastify',
    { server: { bodyLimt: 1 }, modules: [] },
    [{ at: 'server.bodyLimt', message: 'unknown key (did you mean bodyLimit?)' }]
  ],
  [
    'a port that is text',
    { server: { port: '5151' }, modules: [] },
    [{ at: 'server.port', got: '"5151"', expected: 'a port from 0 to 65535' }]
  ],
  ['a port out of bounds', { server: { port: 65536 }, modules: [] }, [{ at: 'server.port', got: '65536' }]],
  ['a negative port', { server: { port: -1 }, modules: [] }, [{ at: 'server.port', got: '-1' }]],
  ['half a port', { server: { port: 51.5 }, modules: [] }, [{ at: 'server.port', got: '51.5' }]],
  ['a port that is NaN', { server: { port: Number.NaN }, modules: [] }, [{ at: 'server.port', got: 'NaN' }]],
  [
    'a body limit of 0',
    { server: { bodyLimit: 0 }, modules: [] },
    [{ at: 'server.bodyLimit', expected: 'bytes, a whole number above 0' }]
  ],
  [
    "a server factory, which is the runner's",
    { server: { serverFactory: () => {} }, modules: [] },
    [{ at: 'server.serverFactory', message: 'unknown key' }]
  ],
  ['undefined', undefined, [{ at: 'config', got: 'undefined', expected: 'object' }]],
  [
    'config and modules together',
    { mod: 'test', server: { port: 'x' }, modules: [[example, { sise: 1 }], null] },
    [
      { at: 'mod', message: 'unknown key (did you mean mode?)' },
      { at: 'server.port' },
      { at: 'modules[1]', code: 'SVC_MODULE_INVALID' },
      { at: 'svc-example.sise' }
    ]
  ]
]

for (const [title, config, expected] of rows) {
  t.test(title, async (t) => {
    const { problems } = checkConfig(config as SvcConfig)
    t.match(problems, expected)
    t.equal(problems.length, expected.length, JSON.stringify(problems))
  })
}

t.test('the given config is left alone, frozen or not', async (t) => {
  const config = defineConfig({ server: Object.freeze({ port: 0 }), modules: [example] })
  const { modules, problems } = checkConfig(config)
  t.same(problems, [])
  t.match(modules, [{ name: 'svc-example', options: {} }])
  t.same(config, { server: { port: 0 }, modules: [example] })
})

t.test('every option Fastify documents for its server is known', async (t) => {
  const types = readFileSync(new URL('fastify.d.ts', import.meta.resolve('fastify')), 'utf8')
  const block = types.slice(
    types.indexOf('export type FastifyServerOptions<'),
    types.indexOf('export type ValidationResult')
  )
  const named = [...block.matchAll(/^ {4}(\w+)\?:/gm)].map(([, name]) => name as string)
  t.ok(named.length > 30)
  t.same(
    named.filter((name) => name !== 'serverFactory' && !(name in serverProperties)),
    []
  )
})

t.test('each problem names its line', async (t) => {
  const text =
    'export default defineConfig({\n  server: {\n    prot: 5151\n  },\n  modules: [\n    [svcExample, {\n      sise: 1 }]\n  ]\n})\n'
  const folder = t.testdir({ 'svc.config.ts': text })
  const configText = await readConfigText(`${folder}/svc.config.ts`)
  const config = { server: { prot: 5151 }, modules: [[example, { sise: 1 }]], mod: 1 } as unknown as SvcConfig
  t.same(
    checkConfig(config, configText).problems.map(({ at }) => at),
    ['svc.config.ts  mod', 'svc.config.ts:3  server.prot', 'svc.config.ts:7  svc-example.sise']
  )
})

t.test('a config file that cannot be read names no lines', async (t) => {
  t.equal(await readConfigText('/nowhere/svc.config.ts'), undefined)
  t.equal(await readConfigText(undefined), undefined)
})
