/**
 * A rotation of signing keys while two instances run and share the file: each signs with the new key once its time has
 * come, and both take tokens of both keys all the while. In the long run: instances read the file every half minute.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newStoredKey } from 'svc-security/host'
import t from 'tap'
import { API } from '../../support/account-app.ts'
import { exchange } from '../campaign/mixed-load.ts'
import { Subject } from '../campaign/subject.ts'
import { PASSWORD } from '../campaign/subject-app.ts'

/** Two looks at the file, and some more. */
const ACTIVE_IN_MS = 65_000
const PATIENCE_MS = 120_000
const ASK_MS = 250

const login = { username: 'ann', password: PASSWORD }

async function tokenOf({ port }: Subject): Promise<string> {
  const { status, body } = await exchange(port, 'POST', `${API}/token`, {}, login)
  if (status !== 200) throw new Error(`a token: ${status} ${JSON.stringify(body)}`)
  return String(body.access_token)
}

const keyOf = (token: string): string => {
  const [header = ''] = token.split('.')
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }).kid
}

/** @returns how many requests there were, and how many of them were refused */
async function askAll(instances: readonly Subject[], tokens: Iterable<string>) {
  let [asked, refused] = [0, 0]
  for (const token of tokens) {
    for (const { port } of instances) {
      asked += 1
      const { status } = await exchange(port, 'GET', '/api/who', { authorization: `Bearer ${token}` })
      if (status !== 200) refused += 1
    }
  }
  return { asked, refused }
}

t.test('both sign with the new key, and no token is refused', { timeout: 240_000 }, async (t) => {
  const folder = t.testdir()
  const keyDir = join(folder, 'keys')
  mkdirSync(keyDir, { mode: 0o700 })
  const write = (keys: readonly object[]) => {
    const draft = join(keyDir, 'draft')
    writeFileSync(draft, JSON.stringify({ keys }), { mode: 0o600 })
    renameSync(draft, join(keyDir, 'keyset.json'))
  }
  const old = newStoredKey(0)
  write([old])
  const first = new Subject({ storage: `sqlite:${join(folder, 'app.db')}`, keyDir })
  const instances = [first, first.sibling()]
  t.teardown(() => Promise.all(instances.map((each) => each.end('SIGKILL'))))
  for (const each of instances) await each.start()
  const tokens = new Map([[old.kid, await tokenOf(first)]])
  const next = newStoredKey(Date.now() + ACTIVE_IN_MS)
  write([next, old])

  const signing = new Set<Subject>()
  let [asked, refused] = [0, 0]
  const end = performance.now() + PATIENCE_MS
  while (signing.size < instances.length && performance.now() < end) {
    for (const instance of instances) {
      const token = await tokenOf(instance)
      tokens.set(keyOf(token), token)
      if (keyOf(token) === next.kid) signing.add(instance)
      const answers = await askAll(instances, tokens.values())
      asked += answers.asked
      refused += answers.refused
    }
    await pause(ASK_MS)
  }
  t.equal(signing.size, 2, 'both sign with the new key')
  t.strictSame([...tokens.keys()].sort(), [old.kid, next.kid].sort())
  t.equal(refused, 0, `of ${asked} requests`)
  t.strictSame(
    instances.flatMap(({ faults }) => faults),
    []
  )
})
