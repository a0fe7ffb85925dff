/** What the session keeps of a login whose second factor is due. */
import type { JsonObject } from 'svc-stores'
import t from 'tap'
import { readPending } from '../../src/login/factor-host.ts'

const NOW = 1_000_000
const held = { identifier: 'alice', methods: ['totp'], since: NOW - 1000 }

const rows: ReadonlyArray<readonly [what: string, content: JsonObject, holds: boolean]> = [
  ['a fresh one', { pending: held }, true],
  ['that says its first factor', { pending: { ...held, first: 'pwd' } }, true],
  ['that marks its password', { pending: { ...held, password: 'mark' } }, true],
  ['of this very moment', { pending: { ...held, since: NOW } }, true],
  ['just within five minutes', { pending: { ...held, since: NOW - 299_999 } }, true],
  ['five minutes old', { pending: { ...held, since: NOW - 300_000 } }, false],
  ['of the future', { pending: { ...held, since: NOW + 1 } }, false],
  ['none', {}, false],
  ['null', { pending: null }, false],
  ['a text', { pending: 'alice' }, false],
  ['a list', { pending: [held] }, false],
  ['without a name', { pending: { ...held, identifier: null } }, false],
  ['without methods', { pending: { ...held, methods: 'totp' } }, false],
  ['without a time', { pending: { ...held, since: null } }, false]
]

for (const [what, content, holds] of rows) {
  t.strictSame(
    readPending(content, NOW),
    holds ? { first: null, password: null, ...(content.pending as typeof held) } : null,
    what
  )
}
