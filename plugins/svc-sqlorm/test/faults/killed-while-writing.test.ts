/**
 * A process killed in the middle of its writes, several times: whatever it had
 * acknowledged is there afterwards, and nothing is there in part. In the long run: processes are killed in rounds.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { UserRecord } from 'svc-security/stores'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { onPostgres } from '../support/on-postgres.ts'
import { openStore } from '../support/open-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Acknowledged } from '../support/writing-child.ts'

const CHILD = fileURLToPath(new URL('../support/writing-child.js', import.meta.url))

/** Records acknowledged before each kill. */
const KILLS = [1, 7, 23, 40]

const EVERYTHING = { limit: 1000 }

/** Without NODE_OPTIONS, through which the test runner hooks itself into every Node child. */
function startChild(url: string, prefix: string): ChildProcess {
  const args = ['-c', 'unset NODE_OPTIONS; exec "$0" "$@"', process.execPath, CHILD, url, prefix]
  return spawn('sh', args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** @returns what it acknowledged until `kill` was called, after so many lines */
async function killedAfter(t: Test, count: number, child: ChildProcess, kill: () => unknown): Promise<Acknowledged[]> {
  t.teardown(() => child.kill('SIGKILL'))
  if (child.stdout === null) throw new Error('the child has no output')
  const lines: Acknowledged[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line may have been cut off by the kill: then nobody was told.
    if (line.endsWith('}')) lines.push(JSON.parse(line) as Acknowledged)
    if (lines.length === count) await kill()
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return lines
}

async function nothingIsLost(t: Test, url: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  t.ok(acknowledged.length >= KILLS.reduce((sum, count) => sum + count, 0))
  const clock = new ManualClock()
  const sessions = await openStore(url, 'session', clock)
  const tokens = await openStore(url, 'tokens', clock)
  const webhooks = await openStore(url, 'webhooks', clock)
  const users = await openStore(url, 'user', clock)
  t.teardown(() => Promise.all([sessions, tokens, webhooks, users].map(({ database }) => database.close())))
  const lost: string[] = []
  for (const { session, token, successor, webhook, failures, user } of acknowledged) {
    const checks: Readonly<Record<string, boolean>> = {
      session: (await sessions.store.find(session))?.content.twice === true,
      token: (await tokens.store.find(token))?.replacedBy === successor,
      successor: (await tokens.store.find(successor))?.revokedAt === null,
      webhook: (await webhooks.store.find(webhook))?.failureCount === failures,
      user: (await users.store.findBySocialAccount('idp', user))?.identifier === user
    }
    for (const [name, kept] of Object.entries(checks)) if (!kept) lost.push(`${name} ${session}`)
  }
  t.strictSame(lost, [], `all of ${acknowledged.length} acknowledged records are there, whole`)

  // What nobody was told of may be there or not, but never in part.
  const halves: string[] = []
  const { items } = await tokens.store.list({}, EVERYTHING)
  const ids = new Set(items.map(({ id }) => id))
  for (const { id, replacedBy, revokedAt } of items) {
    if ((replacedBy !== null || revokedAt !== null) && !ids.has(`${id}-next`)) halves.push(`token ${id}`)
    if (id.endsWith('-next') && (await tokens.store.find(id.slice(0, -5)))?.replacedBy !== id)
      halves.push(`token ${id}`)
  }
  const everybody = (await users.store.list({}, EVERYTHING)).items
  const holders = new Set((await users.store.list({ role: 'ROLE_B' }, EVERYTHING)).items.map(({ id }) => id))
  for (const user of everybody) if (!(await isWhole(user, holders, users.store))) halves.push(`user ${user.identifier}`)
  t.strictSame(halves, [], 'no record is there in part')
}

async function isWhole(
  { id, identifier, socialAccounts }: Omit<UserRecord, 'password'>,
  holders: ReadonlySet<string>,
  users: { findBySocialAccount(provider: string, subject: string): Promise<UserRecord | null> }
): Promise<boolean> {
  const owner = await users.findBySocialAccount('idp', identifier)
  return holders.has(id) && (socialAccounts.length === 1 ? owner?.id === id : owner === null)
}

t.test('SQLite in a file', { timeout: 120_000 }, async (t) => {
  const url = `sqlite:${temporaryFolder(t)}/app.db`
  const acknowledged: Acknowledged[] = []
  for (const count of KILLS) {
    const child = startChild(url, `after${count}`)
    acknowledged.push(...(await killedAfter(t, count, child, () => child.kill('SIGKILL'))))
  }
  await nothingIsLost(t, url, acknowledged)
})

await onPostgres(async (t, server) => {
  await t.test('killed, and its server with it every other time', { timeout: 120_000 }, async (t) => {
    const url = await server.createDatabase()
    const acknowledged: Acknowledged[] = []
    for (const [round, count] of KILLS.entries()) {
      const child = startChild(url, `after${count}`)
      const serverToo = round % 2 === 1
      const kill = async () => {
        if (serverToo) await server.kill()
        child.kill('SIGKILL')
      }
      acknowledged.push(...(await killedAfter(t, count, child, kill)))
      if (serverToo) await server.start()
    }
    await nothingIsLost(t, url, acknowledged)
  })
})
