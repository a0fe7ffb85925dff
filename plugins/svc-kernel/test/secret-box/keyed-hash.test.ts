/** Keyed hashes beside vectors that another implementation of RFC 5869 and RFC 2104 made. */
import t from 'tap'
import { KeyedHash, SecretBox } from '../../src/plugin.ts'

const ONE = Uint8Array.from({ length: 32 }, (_, index) => index)
const OTHER = Uint8Array.from({ length: 32 }, (_, index) => 32 + index)
const CONTEXT = 'svc-orm/sealed-field-hash'
const TEXT = '"ada@example.org"'
const OF_ONE = 'bp8PMH5B1D3CG0axq9U9SHkTbFd0rxd_vjBk4Bf6YwM'
const OF_OTHER = 'wUQRy54-ufY7aWcclfWlIonBNeybXMHbuRnIJUaYBiw'

t.test('the first key hashes, every key is looked for', async (t) => {
  t.equal(new KeyedHash(ONE, CONTEXT).of(TEXT), OF_ONE)
  const hash = new KeyedHash([Buffer.from(OTHER).toString('base64'), ONE], CONTEXT)
  t.equal(hash.of(TEXT), OF_OTHER)
  t.strictSame(hash.every(TEXT), [OF_OTHER, OF_ONE])
})

t.test('another context hashes differently, and a key is 32 bytes', async (t) => {
  t.not(new KeyedHash(ONE, 'another').of(TEXT), OF_ONE)
  for (const keys of [[], 'c2hvcnQ=', new Uint8Array(31)]) {
    t.throws(() => new KeyedHash(keys, CONTEXT), { code: 'SVC_KERNEL_SECRET_KEY' })
  }
})

t.test('a blob is known by its form', async (t) => {
  t.ok(SecretBox.isBlob(new SecretBox(ONE, CONTEXT).seal(TEXT)))
  t.notOk(SecretBox.isBlob(TEXT))
})
