/** Who decides how a server logs, and that query secrets are masked whoever does. */
import { fastify as createFastify } from 'fastify'
import t from 'tap'
import type { ServerConfig, SvcConfig } from '../../src/config/define-config.ts'
import { DevLog } from '../../src/logging/dev-log.ts'
import { logging, readsDevLog } from '../../src/logging/logging.ts'
import { requestSerializer } from '../../src/logging/request-serializer.ts'

const devLog = new DevLog({ write: () => true } as unknown as NodeJS.WritableStream)
const own = (): Record<string, unknown> => ({ own: true })
const config = (mode: SvcConfig['mode'], server: ServerConfig = {}): SvcConfig => ({
  ...(mode === undefined ? {} : { mode }),
  server,
  modules: []
})
const serializers = { req: requestSerializer }

const rows: ReadonlyArray<[title: string, config: SvcConfig, expected: object, readsDevLog: boolean]> = [
  ['no mode is production', config(undefined), { logger: { level: 'info', serializers } }, false],
  ['production', config('production'), { logger: { level: 'info', serializers } }, false],
  ['test', config('test'), { logger: { level: 'silent', serializers } }, false],
  ['development', config('development'), { logger: { level: 'info', serializers, stream: devLog } }, true],
  [
    'own settings',
    config('development', { logger: { level: 'warn' } }),
    { logger: { level: 'warn', serializers } },
    false
  ],
  [
    'own serializers are kept',
    config('test', { logger: { serializers: { req: own, x: own } } }),
    { logger: { serializers: { req: own, x: own } } },
    false
  ],
  ['true', config('development', { logger: true }), { logger: { serializers } }, false],
  ['false', config('development', { logger: false }), {}, false],
  ['an instance', config('development', { loggerInstance: {} as never }), {}, false]
]

for (const [title, given, expected, dev] of rows) {
  t.test(title, async (t) => {
    t.same(
      logging(given, () => devLog),
      expected
    )
    t.equal(readsDevLog(given), dev)
  })
}

t.test('a query secret is masked in the lines of production and of own settings', async (t) => {
  for (const logger of [undefined, { level: 'info' }]) {
    const lines: string[] = []
    const made = logging(config('production', logger === undefined ? {} : { logger }), () => devLog).logger as object
    const fastify = createFastify({ logger: { ...made, stream: { write: (line: string) => void lines.push(line) } } })
    t.teardown(() => fastify.close())
    fastify.get('/', async () => 'hello')
    await fastify.inject({ url: '/?access_token=hunter2&page=1', headers: { authorization: 'Bearer hunter2' } })
    t.match(lines.join(''), '/?access_token=***&page=1')
    t.notMatch(lines.join(''), 'hunter2')
  }
})
