/** The key set on disk: its mode, its first making, its taking over while the application runs. */
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import type { AuditRecord } from 'svc-kernel'
import { ManualClock } from 'svc-stores/conformance'
import t, { type Test } from 'tap'
import { KeyRing, KeySet } from '../../src/signing-keys/key-set.ts'
import { KeySetFile } from '../../src/signing-keys/key-set-file.ts'
import { ephemeralKeys, findKeys, KeySetWatch, LOOK_EVERY_MS } from '../../src/signing-keys/open-keys.ts'
import { newStoredKey, openKey } from '../../src/signing-keys/signing-key.ts'
import { logLines } from '../support/log-lines.ts'

function folder(t: Test): string {
  const dir = mkdtempSync(join(tmpdir(), 'svc-keys-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const situation = (now: number, production = true) => ({
  production,
  checkOnly: false,
  now,
  ephemeral: ephemeralKeys
})

t.test('made at the first start, for its owner alone, and read at the next', async (t) => {
  const dir = join(folder(t), 'deeper', 'keys')
  const found = findKeys({ dir }, situation(5))
  if ('message' in found) throw new Error(found.message)
  t.equal(statSync(join(dir, 'keyset.json')).mode & 0o777, 0o600)
  t.equal(statSync(dir).mode & 0o777, 0o700)
  t.same(readdirSync(dir), ['keyset.json'], 'no draft is left')
  const again = findKeys({ dir }, situation(9))
  if ('message' in again) throw new Error(again.message)
  t.equal(again.keys.signingKey(10).kid, found.keys.signingKey(10).kid)
})

t.test('where the application is only checked, none is made, and one that is there is read', async (t) => {
  const dir = folder(t)
  const checked = { ...situation(0), checkOnly: true }
  t.match(findKeys({ dir }, checked), { keys: KeySet, file: null, warning: null })
  t.same(readdirSync(dir), [])
  const stored = newStoredKey(0)
  new KeySetFile(dir).create([stored])
  t.match(findKeys({ dir }, checked), { keys: { keys: [{ kid: stored.kid }] } })
  writeFileSync(join(dir, 'keyset.json'), '{')
  t.match(findKeys({ dir }, checked), { code: 'SVC_SEC_KEYS' })
})

t.test('of two that make it one wins', async (t) => {
  const file = new KeySetFile(folder(t))
  const [first, second] = [newStoredKey(0), newStoredKey(0)]
  t.equal(file.create([first]), true)
  t.equal(file.create([second]), false)
  t.match(JSON.parse(file.read()), { keys: [{ kid: first.kid }] })
})

t.test('where keys come from, and what is refused', async (t) => {
  const dir = folder(t)
  const json = JSON.stringify({ keys: [newStoredKey(0)] })
  const open = join(dir, 'open')
  findKeys({ dir: open }, situation(0))
  chmodSync(join(open, 'keyset.json'), 0o640)
  const damaged = new KeySetFile(join(dir, 'damaged'))
  damaged.create([newStoredKey(0)])
  writeFileSync(damaged.path, '{')
  writeFileSync(join(dir, 'a-file'), '')
  const rows: [
    title: string,
    setting: { keySetJson?: string; dir?: string },
    production: boolean,
    expected: unknown
  ][] = [
    ['JSON wins', { keySetJson: json, dir: '/nowhere' }, true, { file: null, warning: null }],
    ['JSON that is none', { keySetJson: 'x' }, false, { code: 'SVC_SEC_KEYS', at: 'svc-security.jwt.keySetJson' }],
    ['a file that others can read', { dir: open }, true, { code: 'SVC_SEC_KEYS', got: 'mode 0640' }],
    ['a damaged file', { dir: join(dir, 'damaged') }, true, { code: 'SVC_SEC_KEYS', message: /not a JSON object/ }],
    [
      'a folder that cannot be made',
      { dir: join(dir, 'a-file', 'keys') },
      true,
      { code: 'SVC_SEC_KEYS', message: /ENOTDIR/ }
    ],
    ['nothing, in production', {}, true, { code: 'SVC_SEC_KEYS', fix: /svc keys generate/ }],
    ['nothing, elsewhere', {}, false, { warning: { code: 'SVC_SEC_KEYS_EPHEMERAL' } }]
  ]
  for (const [title, setting, production, expected] of rows)
    t.match(findKeys(setting, situation(0, production)), expected, title)
})

t.test('a changed file is taken over; one that cannot be used changes nothing', async (t) => {
  const file = new KeySetFile(folder(t))
  const clock = new ManualClock()
  const [first, second] = [newStoredKey(0), newStoredKey(1)]
  file.create([first])
  const ring = new KeyRing(new KeySet([openKey(first)]))
  const { lines, logger } = logLines('info')
  const told: AuditRecord[] = []
  const journal = { done: (event: AuditRecord) => void told.push(event) }
  const watch = new KeySetWatch({ file, ring, clock, log: Fastify({ logger }).log, journal })
  watch.start()
  const kids = () => ring.current.keys.map(({ kid }) => kid)

  const before = ring.current
  clock.advance(LOOK_EVERY_MS)
  t.equal(ring.current, before, 'nothing changed')

  file.replace([second, first])
  clock.advance(LOOK_EVERY_MS)
  t.same(kids(), [second.kid, first.kid])
  t.match(lines.at(-1), { msg: 'the key set was reloaded', kids: [second.kid, first.kid] })

  writeFileSync(file.path, 'half a fi')
  clock.advance(LOOK_EVERY_MS)
  rmSync(file.path)
  clock.advance(LOOK_EVERY_MS)
  t.same(kids(), [second.kid, first.kid])
  t.equal(lines.filter(({ code }) => code === 'SVC_SEC_KEYS').length, 2)
  const event = { category: 'config', action: 'config.update', actor: null, resource: 'svc-security.jwt.dir' }
  t.match(told, [
    { ...event, outcome: 'success', metadata: { kids: [second.kid, first.kid] } },
    { ...event, outcome: 'failure', reason: /not a JSON object/ },
    { ...event, outcome: 'failure', reason: 'the file is gone' }
  ])
  t.notMatch(JSON.stringify([lines, told]), first.d)

  file.create([first])
  clock.advance(LOOK_EVERY_MS)
  t.same(kids(), [first.kid])
  watch.stop()
  t.equal(clock.pending, 0)
})

t.test('a link in the place of the file is replaced, not written through', async (t) => {
  const dir = folder(t)
  const elsewhere = join(dir, 'elsewhere')
  writeFileSync(elsewhere, 'untouched', { mode: 0o644 })
  const file = new KeySetFile(join(dir, 'keys'))
  file.create([newStoredKey(0)])
  rmSync(file.path)
  symlinkSync(elsewhere, file.path)
  file.replace([newStoredKey(0)])
  t.equal(readFileSync(elsewhere, 'utf8'), 'untouched')
  t.equal(file.openToOthers(), null)
})
