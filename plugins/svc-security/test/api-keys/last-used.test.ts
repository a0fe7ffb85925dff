/** KEY-17, KEY-18: the last use is noted once per window, and never at the caller's expense. */

import Fastify from 'fastify'
import { inMemory } from 'svc-stores'
import { ManualClock } from 'svc-stores/conformance'
import t from 'tap'
import { LastUsed } from '../../src/api-keys/last-used.ts'
import { guardedStore } from '../../src/stores/guarded-store.ts'
import { type TokensStore, tokensStore } from '../../src/token-store/tokens-store.ts'
import { logLines } from '../support/log-lines.ts'

function lastUsedOver(markUsed: TokensStore['markUsed']) {
  const clock = new ManualClock()
  const store = Object.assign(inMemory(tokensStore, { clock }), { markUsed })
  const { lines, logger } = logLines('error')
  const { log } = Fastify({ logger })
  return { clock, lines, lastUsed: new LastUsed(60_000, { store: guardedStore(tokensStore, store), clock, log }) }
}

const unused = { id: 'k1', lastUsedAt: null }

t.test('KEY-17: a hundred uses in one window are one write', async (t) => {
  const written: string[] = []
  const { clock, lastUsed } = lastUsedOver(async (id) => written.push(id) > 0)
  for (let use = 0; use < 100; use += 1) lastUsed.note(unused)
  t.strictSame(written, ['k1'])
  lastUsed.note({ id: 'k2', lastUsedAt: clock.now() - 59_999 })
  t.strictSame(written, ['k1'], 'another instance wrote it a moment ago')
  lastUsed.note({ id: 'k2', lastUsedAt: clock.now() - 60_000 })
  clock.advance(60_000)
  lastUsed.note(unused)
  t.strictSame(written, ['k1', 'k2', 'k1'])
})

t.test('KEY-18: a write that hangs is not waited for, nor joined by others', async (t) => {
  let started = 0
  const { lastUsed } = lastUsedOver(() => {
    started += 1
    return new Promise<boolean>(() => undefined)
  })
  for (let use = 0; use < 50; use += 1) lastUsed.note(unused)
  t.equal(started, 1)
})

t.test('KEY-18: a write that fails is logged once until one succeeds', async (t) => {
  let down = true
  const { clock, lines, lastUsed } = lastUsedOver(async () => {
    if (down) throw new Error('down')
    return true
  })
  const useOnce = async (): Promise<void> => {
    clock.advance(60_000)
    lastUsed.note(unused)
    await new Promise(setImmediate)
  }
  await useOnce()
  await useOnce()
  t.equal(lines.length, 1)
  down = false
  await useOnce()
  down = true
  await useOnce()
  t.equal(lines.length, 2)
})
