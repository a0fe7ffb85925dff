/**
 * What the list of requests costs: one guarded request in this process, with requests recorded and without, in processes
 * of their own that take turns. Prints the least of each, which other load on the machine disturbs
 * least, and the difference, in microseconds of processor time. Young
 * objects get much room, as those of the injected requests would otherwise decide when the garbage is collected.
 *
 *   npm run bench -- requests
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import Fastify from 'fastify'
import { createAccessToken, guardHooks } from 'svc-kernel'
import { routeSecurity } from 'svc-kernel/plugin'
import svcOps from 'svc-ops'
import svcSecurity from 'svc-security'

const ROUNDS = 9
const WARM_UP = 20_000
const MEASURED = 40_000

const token = createAccessToken({ type: 'session', user: { identifier: 'alice', roles: ['ROLE_USER'] } })

async function measure(recorded: boolean): Promise<number> {
  const app = Fastify()
  await app.register(svcSecurity, {
    areas: { api: { pattern: '^/api', authenticators: ['fixed'] } },
    parts: {
      authenticators: { fixed: { supports: () => true, createToken: () => 'x', authenticate: () => token } }
    }
  })
  await app.register(svcOps, { requests: { enabled: recorded } })
  const requirement = [[{ attribute: 'ROLE_USER' }]]
  const svc = routeSecurity('Orders.get', { requirement })
  app.get('/api/orders/:id', { ...guardHooks(requirement), config: { svc } }, (_request, reply) => {
    reply.send('{"id":7}')
  })
  await app.ready()
  const headers = { accept: 'application/json', 'user-agent': 'bench', cookie: 'a=b' }
  const run = async (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      const { statusCode } = await app.inject({ url: '/api/orders/7', headers })
      if (statusCode !== 200) throw new Error(`the request was answered ${statusCode}`)
    }
  }
  await run(WARM_UP)
  const before = process.cpuUsage()
  await run(MEASURED)
  const { user, system } = process.cpuUsage(before)
  await app.close()
  return (user + system) / MEASURED
}

const [, , wanted] = process.argv
if (wanted === undefined) {
  const file = fileURLToPath(import.meta.url)
  const took = (which: string) =>
    Number(execFileSync(process.execPath, [...process.execArgv, file, which], { encoding: 'utf8' }))
  const [off, on]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    off.push(took('off'))
    on.push(took('on'))
  }
  const [without, withList] = [Math.min(...off), Math.min(...on)]
  process.stdout.write(`without ${without.toFixed(2)} us, recorded ${withList.toFixed(2)} us a request\n`)
  process.stdout.write(`the list costs ${(withList - without).toFixed(2)} us\n`)
} else process.stdout.write(String(await measure(wanted === 'on')))
