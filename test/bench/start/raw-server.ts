/** What an application is held against: Fastify alone, with a log and as many routes, which the first argument says. */
import Fastify from 'fastify'

const fastify = Fastify({ logger: true })
fastify.get('/api/hello', async () => ({ hello: 'world', pid: process.pid, who: 'anonymous' }))
for (let route = 1; route < Number(process.argv[2]); route += 1) {
  fastify.get(`/api/route-${route}`, async () => ({ route }))
}
await fastify.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
