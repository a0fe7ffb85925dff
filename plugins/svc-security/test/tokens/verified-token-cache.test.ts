/** Bounds of the memory of verified signatures: size, a minute, and the end of the token. */
import t from 'tap'
import { LONGEST_ENTRY_MS, MOST_CHARACTERS, VerifiedTokenCache } from '../../src/tokens/verified-token-cache.ts'

const verified = (expiresAt: number) => ({ expiresAt })

t.test('of size 0 it keeps nothing', async (t) => {
  const cache = new VerifiedTokenCache(0)
  cache.set('a', verified(1e15), 0)
  t.equal(cache.get('a', 0), null)
})

t.test('an entry counts for a minute, or until its token ends', async (t) => {
  const cache = new VerifiedTokenCache(10)
  cache.set('long', verified(1e15), 0)
  cache.set('short', verified(1000), 0)
  t.equal(cache.get('short', 999), cache.get('short', 999))
  t.not(cache.get('short', 999), null)
  t.equal(cache.get('short', 1000), null)
  t.not(cache.get('long', LONGEST_ENTRY_MS - 1), null)
  t.equal(cache.get('long', LONGEST_ENTRY_MS), null)
})

t.test('a use does not make it last longer', async (t) => {
  const cache = new VerifiedTokenCache(10)
  cache.set('a', verified(1e15), 0)
  cache.get('a', LONGEST_ENTRY_MS - 1)
  t.equal(cache.get('a', LONGEST_ENTRY_MS), null)
})

t.test('the least recently used goes first', async (t) => {
  const cache = new VerifiedTokenCache(2)
  for (const token of ['a', 'b']) cache.set(token, verified(1e15), 0)
  cache.get('a', 0)
  cache.set('c', verified(1e15), 0)
  t.not(cache.get('a', 0), null)
  t.equal(cache.get('b', 0), null)
  t.not(cache.get('c', 0), null)
  cache.clear()
  t.equal(cache.get('a', 0), null)
})

t.test('long tokens are fewer: their characters together have a bound', async (t) => {
  const cache = new VerifiedTokenCache(1_000_000)
  const long = MOST_CHARACTERS / 4
  const tokens = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(long))
  for (const token of tokens) cache.set(token, verified(1e15), 0)
  t.equal(cache.get(tokens[0] ?? '', 0), null, 'the oldest went')
  for (const token of tokens.slice(1)) t.not(cache.get(token, 0), null)
  cache.set(tokens[1] ?? '', verified(1e15), 0)
  for (const token of tokens.slice(1)) t.not(cache.get(token, 0), null, 'one that is set again counts once')
  for (const token of tokens.slice(1)) t.equal(cache.get(token, LONGEST_ENTRY_MS), null)
  for (const token of tokens.slice(1)) cache.set(token, verified(1e15), LONGEST_ENTRY_MS)
  for (const token of tokens.slice(1)) t.not(cache.get(token, LONGEST_ENTRY_MS), null, 'what ended counts no more')
})
