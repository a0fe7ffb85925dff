/** An outage in a whole application: answered each time, logged once. */
import svcKernel from 'svc-kernel'
import t from 'tap'
import { application } from '../../src/application/application.ts'
import { defineConfig } from '../../src/config/define-config.ts'
import { createServer } from '../../src/server/http.ts'

const away = () => Object.assign(new Error('no'), { statusCode: 503, code: 'SVC_X', reason: 'ECONNREFUSED' })
t.test('R1: an application answers every request of an outage, and logs the first', async (t) => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const routes = async (fastify: { get(path: string, handler: () => Promise<never>): unknown }) => {
    fastify.get('/', async () => {
      throw away()
    })
  }
  const server = { logger: { level: 'error', stream } }
  const modules = [Object.assign(routes, { [Symbol.for('skip-override')]: true })]
  const config = defineConfig({ name: 'x', mode: 'test', server, modules } as never)
  const fastify = await createServer(application(config, import.meta.url))
  t.teardown(() => fastify.close())
  await fastify.register(svcKernel)
  for (let time = 0; time < 5; time += 1) t.equal((await fastify.inject('/')).statusCode, 503)
  t.equal(lines.length, 1)
})
