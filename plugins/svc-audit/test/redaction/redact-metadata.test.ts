/** Metadata: masked, bounded, frozen through and through, and never a throw. */
import t from 'tap'
import { redactMetadata } from '../../src/redaction/redact-metadata.ts'

class Secretive {
  readonly password = 'x'
  readonly name = 'y'
}

const rows: [name: string, given: unknown, expected: unknown][] = [
  ['nothing', undefined, {}],
  ['null', null, {}],
  ['a scalar', 'text', { value: 'text' }],
  ['plain data', { a: 1, b: [true, null, 'x'] }, { a: 1, b: [true, null, 'x'] }],
  [
    'secrets by name',
    { password: 'p', deep: { apiKey: { nested: 1 } } },
    { password: '[redacted]', deep: { apiKey: '[redacted]' } }
  ],
  ['secrets by look', { header: 'Bearer abcdef' }, { header: '[redacted]' }],
  ['names that are no secret', { tokenId: 't1', scopes: ['a:b'] }, { tokenId: 't1', scopes: ['a:b'] }],
  ['control characters', { 'a\nb': 'c\td' }, { 'a\\u000ab': 'c\\u0009d' }],
  ['no value', { a: undefined, b: 1 }, { b: 1 }],
  ['numbers that JSON cannot say', { n: Number.NaN, i: -Infinity, b: 10n }, { n: 'NaN', i: '-Infinity', b: '10' }],
  [
    'dates',
    { at: new Date(0), never: new Date(Number.NaN) },
    { at: '1970-01-01T00:00:00.000Z', never: 'Invalid Date' }
  ],
  ['functions and symbols', { f: () => 1, s: Symbol('x') }, { f: '[function]', s: '[symbol]' }],
  ['instances', new Secretive(), { password: '[redacted]', name: 'y' }],
  ['depth', { a: { b: { c: { d: { e: 1 } } } } }, { a: { b: { c: { d: '[nested too deep]' } } } }],
  ['long text', { a: 'x'.repeat(2000) }, { a: `${'x'.repeat(1021)}...` }]
]

for (const [name, given, expected] of rows) {
  t.test(name, async (t) => t.strictSame(redactMetadata(given), expected))
}

t.test('size is bounded, and what is missing is told', async (t) => {
  const list = redactMetadata({ list: Array.from({ length: 5000 }, (_, index) => index) }) as { list: unknown[] }
  t.equal(list.list.length, 100)
  t.equal(list.list.at(-1), '[4901 more]')
  const wide = redactMetadata(Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, index])))
  t.equal(Object.keys(wide).length, 101)
  t.equal(wide['...'], 'more')
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  t.match(JSON.stringify(redactMetadata(cyclic)), /nested too deep/)
})

t.test('a copy, frozen to the last leaf', async (t) => {
  const given = { a: { b: [{ c: 1 }] } }
  const copy = redactMetadata(given) as typeof given
  given.a.b[0] = { c: 2 }
  t.strictSame(copy, { a: { b: [{ c: 1 }] } })
  for (const part of [copy, copy.a, copy.a.b, copy.a.b[0]]) t.equal(Object.isFrozen(part), true)
})

t.test('keys of prototypes are plain keys', async (t) => {
  const copy = redactMetadata(JSON.parse('{"__proto__":{"admin":true},"constructor":1}'))
  t.equal(JSON.stringify(copy), '{"__proto__":{"admin":true},"constructor":1}')
  t.equal((copy as { admin?: unknown }).admin, undefined)
})

t.test('what cannot be read loses itself alone', async (t) => {
  const hostile = {
    get a() {
      throw new Error('no')
    }
  }
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  t.strictSame(redactMetadata(hostile), { unreadable: true })
  t.strictSame(redactMetadata(revoked.proxy), { unreadable: true })
})

/** Names that announce a secret, and names that only sound like it. */
