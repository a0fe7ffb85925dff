/** A Redis that hangs with its sockets open: nobody waits longer than the deadline, and the store takes over again. */
import { ManualClock } from 'svc-stores/conformance'
import { limitedApp } from '../support/limited-app.ts'
import { onRedis } from '../support/redis.ts'

const turn = () => new Promise(setImmediate)

await onRedis(async (t, { client, signal }) => {
  const clock = new ManualClock()
  const limits = { mail: { rate: '3/day' }, strict: { rate: '3/day', onOutage: 'refuse' as const } }
  const { fastify, lines } = await limitedApp(t, () => undefined, { limits, parts: { clock, redis: client } })
  const take = () => fastify.limits.take('mail', 'k')
  const said = (text: string) => lines.filter(({ msg }) => String(msg).includes(text)).length
  t.equal((await take()).remaining, 2)

  signal('SIGSTOP')
  const late = take()
  await turn()
  clock.advance(500)
  t.equal((await late).remaining, 2, 'of memory')
  t.equal((await take()).remaining, 1, 'at once')
  await t.rejects(fastify.limits.take('strict', 'k'), { code: 'SVC_LIMIT_UNAVAILABLE' })
  t.equal(said('failed'), 1)

  signal('SIGCONT')
  clock.advance(1_000)
  await take()
  while (said('answers again') === 0) await turn()
  t.equal((await take()).remaining, 0, 'what came late was counted too')
  t.equal((await fastify.limits.take('strict', 'k')).remaining, 2)
})
