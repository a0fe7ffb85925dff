/** Q6: ids of requests, in one process and over several, and what an application sets instead. */
import t from 'tap'
import { application } from '../../src/application/application.ts'
import type { ServerConfig } from '../../src/config/define-config.ts'
import { createServer } from '../../src/server/http.ts'
import { requestIds } from '../../src/server/request-ids.ts'
import { startChild } from '../child-process.ts'

t.test('Q6: two processes never give one id twice', async (t) => {
  const config = JSON.stringify({ mode: 'production', server: { port: 0 } })
  const seen = new Set<string>()
  for (let time = 0; time < 3; time += 1) {
    const child = startChild(t, 'serving', config)
    const [url] = await child.until(/http:\/\/127\.0\.0\.1:\d+/)
    await fetch(`${url}/`)
    await fetch(`${url}/`)
    await child.until(/(?:request completed[\s\S]*){2}/)
    for (const [, id] of child.stdout.matchAll(/"reqId":"([^"]+)"/g)) seen.add(id as string)
  }
  t.equal(seen.size, 6, [...seen].join(' '))
})

t.test('Q6: within one server they count, and a full count begins anew under another random part', async (t) => {
  const next = requestIds(3)
  const ids = Array.from({ length: 9 }, next)
  t.equal(new Set(ids).size, 9)
  t.ok(ids.every((id) => /^req-[0-9a-z]{12}-[123]$/.test(id)))
  t.equal(new Set(ids.map((id) => id.slice(0, -2))).size, 3)
})

async function idOf(server: ServerConfig, headers: Record<string, string> = {}): Promise<string> {
  const config = {
    mode: 'test' as const,
    server,
    modules: [
      async function routes(fastify: import('fastify').FastifyInstance) {
        fastify.get('/', async ({ id }) => ({ id }))
      }
    ]
  }
  const fastify = await createServer(application(config, import.meta.url))
  const answer = await fastify.inject({ url: '/', headers })
  await fastify.close()
  return (answer.json() as { id: string }).id
}

t.test('Q6: what an application sets comes first', async (t) => {
  t.equal(await idOf({ requestIdHeader: 'x-request-id' }, { 'x-request-id': 'of the proxy' }), 'of the proxy')
  t.match(await idOf({ requestIdHeader: 'x-request-id' }), /^req-[0-9a-z]{12}-1$/)
  t.match(await idOf({}, { 'x-request-id': 'of a stranger' }), /^req-[0-9a-z]{12}-1$/)
  t.equal(await idOf({ genReqId: () => 'my own' }), 'my own')
})
