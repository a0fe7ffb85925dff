/** The key by mode: configured, of the process, or none. */
import t from 'tap'
import { findKey } from '../../src/boot/find-key.ts'

t.test('a configured key counts in every mode', async (t) => {
  for (const mode of ['development', 'production', 'test'] as const) {
    t.strictSame(findKey('abc', mode), { kind: 'configured', key: 'abc' }, mode)
  }
})

t.test('without one', async (t) => {
  for (const [mode, kind, code] of [
    ['development', 'ephemeral', 'SVC_WEBHOOK_KEY_EPHEMERAL'],
    ['test', 'ephemeral', 'SVC_WEBHOOK_KEY_EPHEMERAL'],
    ['production', 'missing', 'SVC_WEBHOOK_KEY_MISSING']
  ] as const) {
    const verdict = findKey(undefined, mode)
    t.equal(verdict.kind, kind, mode)
    t.match(verdict, { problem: { code, at: 'svc-webhooks.encryptionKey', expected: String, fix: /SVC_WEBHOOK_KEY/ } })
  }
})
