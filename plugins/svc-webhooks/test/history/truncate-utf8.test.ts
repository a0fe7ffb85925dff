/** Cutting a text at a number of bytes never breaks a character. */
import fc from 'fast-check'
import t from 'tap'
import { truncateUtf8 } from '../../src/history/truncate-utf8.ts'

t.test('cuts', async (t) => {
  const table: [text: string, bytes: number, kept: string][] = [
    ['', 4, ''],
    ['abcd', 4, 'abcd'],
    ['abcde', 4, 'abcd'],
    ['aüü', 4, 'aü'],
    ['€€', 5, '€'],
    ['€', 2, ''],
    ['a😀', 4, 'a'],
    ['😀b', 4, '😀'],
    ['abc', 0, '']
  ]
  for (const [text, bytes, kept] of table) t.equal(truncateUtf8(text, bytes), kept, `${text} at ${bytes}`)
})

t.test('it is a beginning, it fits, and one more character would not', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  fc.assert(
    fc.property(text, fc.nat(60), (given, bytes) => {
      const kept = truncateUtf8(Buffer.from(given), bytes)
      if (!given.startsWith(kept) || Buffer.byteLength(kept) > bytes) return false
      const [next] = [...given.slice(kept.length)]
      return next === undefined || Buffer.byteLength(kept + next) > bytes
    })
  )
})
