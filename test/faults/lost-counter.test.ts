/** Logins while the Redis server that counts them hangs, or is gone: memory counts, and nobody waits. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { systemClock } from 'svc-kernel'
import t, { type Test } from 'tap'
import { accountApp } from '../support/account-app.ts'
import { freePort } from '../support/ports.ts'
import { until } from '../support/until.ts'

const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)

async function redisServer(t: Test) {
  const port = await freePort()
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no' }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  let child: ChildProcess | null = null
  const start = async () => {
    const started = spawn(program as string, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    child = started
    for await (const line of createInterface({ input: started.stdout })) if (/ready to accept/i.test(line)) break
    started.stdout.resume()
  }
  const kill = async () => {
    child?.kill('SIGKILL')
    if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  t.teardown(kill)
  await start()
  return { port, start, kill, signal: (name: NodeJS.Signals) => child?.kill(name) }
}

async function counted(t: Test) {
  const server = await redisServer(t)
  // As its documentation gives it: commands wait for a reconnection, and for an answer without end.
  const redis = new Redis(server.port, '127.0.0.1')
  redis.on('error', () => undefined)
  t.teardown(() => redis.disconnect())
  const limiter = new RateLimiterRedis({ storeClient: redis, points: 1, duration: 1 })
  let asked = 0
  const attempts = {
    get: (key: string) => {
      asked += 1
      return limiter.get(key)
    },
    penalty: limiter.penalty.bind(limiter),
    set: limiter.set.bind(limiter),
    delete: limiter.delete.bind(limiter)
  }
  const app = await accountApp(t, { parts: { attempts, clock: systemClock } })
  const told = () => app.lines.filter(({ code }) => code === 'SVC_SEC_THROTTLE_STORE')
  return { ...app, server, told, asked: () => asked }
}

function redisTests(): void {
  t.test('I1: a counter that hangs holds no login up, and is asked again behind them', async (t) => {
    const { browser, server, told, asked } = await counted(t)
    t.equal((await browser().login()).status, 200)
    server.signal('SIGSTOP')
    t.teardown(() => server.signal('SIGCONT'))
    t.equal((await browser().login()).status, 200, 'the first waits for its deadline')
    t.equal(told().length, 1)
    const before = asked()
    for (let login = 0; login < 20; login += 1) t.equal((await browser().login()).status, 200)
    t.ok(asked() - before < 20, 'the others ask nothing of it')
    for (let guess = 0; guess < 4; guess += 1) await browser().login('alice', 'wrong')
    t.equal((await browser().login()).status, 429, 'and memory counts what fails')
    t.equal(told().length, 1, 'one line for the outage')
    server.signal('SIGCONT')
    await until(async () => {
      await browser().login('somebody', 'wrong')
      return told().length === 2
    }, 'the end of the outage')
    t.equal((await browser().login('bob', 'wrong')).status, 401)
  })

  t.test('I1: the same with a server that is killed and comes back', async (t) => {
    const { browser, server, told } = await counted(t)
    t.equal((await browser().login()).status, 200)
    await server.kill()
    for (let login = 0; login < 5; login += 1) t.equal((await browser().login()).status, 200)
    for (let guess = 0; guess < 4; guess += 1) await browser().login('alice', 'wrong')
    t.equal((await browser().login()).status, 429)
    t.equal(told().length, 1)
    await server.start()
    await until(async () => {
      await browser().login('somebody', 'wrong')
      return told().length === 2
    }, 'the end of the outage')
  })
}

t.test('I1: a login whose users do not answer is refused with 503, and is no guess', async (t) => {
  const users = { findByIdentifier: () => new Promise<null>(() => undefined) }
  const security = { authenticatorTimeoutMs: 50 }
  const { browser } = await accountApp(t, { security, parts: { users, clock: systemClock } })
  for (let login = 0; login < 6; login += 1) t.equal((await browser().login()).status, 503)
})

// What needs no server runs in any case.
if (program === undefined) {
  const reason = 'SKIPPED: neither redis-server nor valkey-server is installed; a counter of Redis was not tested'
  process.stderr.write(`\n  ${reason}\n\n`)
} else redisTests()
