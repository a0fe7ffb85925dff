/**
 * Processes that share a lock: one is killed, one is stopped and goes on. Writes of two holders never interleave.
 * In the long run: processes are killed and stopped.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { Entry, Page, type Said } from '../support/locking-child.ts'
import { onPostgres } from '../support/on-postgres.ts'
import { sqlApp } from '../support/sql-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CHILD = fileURLToPath(new URL('../support/locking-child.js', import.meta.url))

class Holder {
  readonly name: string
  readonly said: Said[] = []
  readonly #process: ChildProcess

  /** Without NODE_OPTIONS, through which the test runner hooks itself into every Node child. */
  constructor(url: string, name: string) {
    this.name = name
    const args = ['-c', 'unset NODE_OPTIONS; exec "$0" "$@"', process.execPath, CHILD, url, name]
    this.#process = spawn('sh', args, { stdio: ['pipe', 'pipe', 'inherit'] })
  }

  async listen(heard: () => void): Promise<void> {
    if (this.#process.stdout === null) throw new Error('the child has no output')
    for await (const line of createInterface({ input: this.#process.stdout })) {
      if (line.endsWith('}')) this.said.push(JSON.parse(line) as Said)
      heard()
    }
  }

  count(what: Said['what']): number {
    return this.said.filter((said) => said.what === what).length
  }

  /** It writes the rest, and releases the lock. */
  goOn(): void {
    this.#process.stdin?.write('\n')
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name)
  }

  async end(): Promise<void> {
    this.signal('SIGKILL')
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit')
  }
}

/** Three processes, and what they say as it comes. */
class Holders {
  readonly all: readonly Holder[]
  #waiting: (() => void)[] = []

  constructor(t: Test, url: string) {
    this.all = ['a', 'b', 'c'].map((name) => new Holder(url, name))
    for (const each of this.all) {
      t.teardown(() => each.end())
      void each.listen(() => {
        for (const go of this.#waiting.splice(0)) go()
      })
    }
  }

  /** The first of these that says it once more. */
  async next(what: Said['what'], among: readonly Holder[] = this.all): Promise<Holder> {
    const before = among.map((each) => each.count(what))
    for (;;) {
      const found = among.find((each, index) => each.count(what) > (before[index] as number))
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}

async function sharedLock(t: Test, url: string): Promise<void> {
  const { fastify } = await sqlApp(t, url, { entities: [Page, Entry] })
  await fastify.ready()
  await fastify.orm.repository(Page).create({})
  const holders = new Holders(t, url)
  const { all } = holders

  const killed = await holders.next('written')
  const takesOver = holders.next('written')
  await killed.end()
  const stopped = await takesOver
  const [other] = all.filter((each) => each !== killed && each !== stopped)
  if (other === undefined) throw new Error('nobody is left')
  const replaces = holders.next('written', [other])
  stopped.signal('SIGSTOP')
  await replaces
  const again = holders.next('written', [other])
  other.goOn()
  await again
  const [lost, stale] = [holders.next('lost', [stopped]), holders.next('stale', [stopped])]
  stopped.signal('SIGCONT')
  await Promise.all([lost, stale])
  const holdsAgain = holders.next('written', [stopped])
  await other.end()
  await holdsAgain
  await Promise.all(all.map((each) => each.end()))

  const said = all.flatMap((each) => each.said)
  t.strictSame(
    said.filter(({ what }) => what === 'stale').map(({ taken }) => taken),
    [false],
    'the write of the stopped process came too late'
  )
  t.equal(said.filter(({ what }) => what === 'failed').length, 0)
  const entries = await fastify.orm.repository(Entry).find({}, { order: [['place', 'ASC']] })
  const fences = entries.map(({ fence }) => fence)
  t.ok(fences.length >= 50, `${fences.length} entries`)
  t.strictSame(
    fences,
    fences.toSorted((a, b) => a - b),
    'the entries of each holder stand together'
  )
  const holdings = new Set(entries.map(({ fence, writer }) => `${fence} ${writer}`))
  t.equal(holdings.size, new Set(fences).size, 'each fence is of one holder')
  t.strictSame([...new Set(entries.map(({ writer }) => writer))].sort(), ['a', 'b', 'c'])
}

t.test('SQLite', (t) => sharedLock(t, `sqlite:${temporaryFolder(t)}/app.db`))

await onPostgres(async (t, server) => sharedLock(t, await server.createDatabase()))
