/**
 * A good token and a good API key with one byte changed anywhere, and values that are
 * neither: refused each time, never a fault of ours, never a stack. In the long run: thousands of requests.
 */
import t, { type Test } from 'tap'
import { type TokenApp, tokenApp } from '../interop/cases/token-app.ts'
import { rawExchange, rawRequest } from '../support/raw-http.ts'
import { SeededRandom } from '../support/seeded-random.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** What a header may carry (RFC 9110, 5.5), blanks aside. */
const SENDABLE = /^[\x21-\x7e\x80-\xff]$/

/** Without a socket between, for the many. */
async function statusOf({ fastify }: TokenApp, url: string, credential: string): Promise<number> {
  return (await fastify.inject({ url, headers: { authorization: `Bearer ${credential}` } })).statusCode
}

/** Each of its eight bits flipped; for the end of a part, where bits may be left over, each other letter there is. */
function otherBytes(char: string, atEnd: boolean): string[] {
  const flipped = Array.from({ length: 8 }, (_, bit) => String.fromCharCode(char.charCodeAt(0) ^ (1 << bit)))
  return [...new Set([...flipped, ...(atEnd ? ALPHABET : '')])].filter(
    (other) => other !== char && SENDABLE.test(other)
  )
}

/** Tries each mutant; those that were not refused with 401. */
async function admitted(app: TokenApp, url: string, mutants: Iterable<string>): Promise<string[]> {
  const found: string[] = []
  for (const mutant of mutants) {
    const status = await statusOf(app, url, mutant)
    if (status !== 401) found.push(`${status} ${mutant}`)
  }
  return found
}

function* oneByteChanged(good: string): Generator<string> {
  for (let index = 0; index < good.length; index += 1) {
    const atEnd = [undefined, '.'].includes(good[index + 1])
    for (const other of otherBytes(good[index] ?? '', atEnd)) yield good.slice(0, index) + other + good.slice(index + 1)
  }
}

function* oneByteMoreOrLess(good: string): Generator<string> {
  for (let index = 0; index <= good.length; index += 1) {
    for (const extra of ['A', '.', '=']) yield good.slice(0, index) + extra + good.slice(index)
    if (index < good.length) yield good.slice(0, index) + good.slice(index + 1)
    if (index > 0) yield good.slice(0, index - 1)
    const [left = '', right = ''] = [good[index - 1], good[index]]
    if (left !== right && left !== '' && right !== '') {
      yield good.slice(0, index - 1) + right + left + good.slice(index + 1)
    }
  }
}

function* manyBytesChanged(good: string, random: SeededRandom, rounds: number): Generator<string> {
  for (let round = 0; round < rounds; round += 1) {
    const chars = [...good]
    for (let change = 0; change <= random.below(6); change += 1) {
      chars[random.below(chars.length)] = ALPHABET[random.below(ALPHABET.length)] as string
    }
    if (chars.join('') !== good) yield chars.join('')
  }
}

function faults({ lines }: TokenApp): unknown[] {
  return lines.filter(({ level }) => level >= 50)
}

async function mutated(t: Test, app: TokenApp, url: string, good: string): Promise<void> {
  t.equal(await statusOf(app, url, good), 200)
  t.strictSame(await admitted(app, url, oneByteChanged(good)), [], 'one byte changed')
  t.strictSame(await admitted(app, url, oneByteMoreOrLess(good)), [], 'one byte more, less, or in another place')
  t.strictSame(await admitted(app, url, manyBytesChanged(good, new SeededRandom(11), 500)), [], 'several bytes')
  t.equal(await statusOf(app, url, good), 200, 'the good one is still good')
  t.strictSame(faults(app), [])
}

for (const cacheSize of [0, 1000]) {
  t.test(`a token, ${cacheSize} signatures remembered`, async (t) => {
    const app = await tokenApp(t, { jwt: { cacheSize } })
    await mutated(t, app, '/jwt/who', (await app.issue()).access_token)
  })
}

t.test('an API key', async (t) => {
  const app = await tokenApp(t)
  await mutated(t, app, '/key/who', (await app.makeKey()).token)
})

t.test('values that are no credential, over a socket', async (t) => {
  const app = await tokenApp(t)
  const { access_token: token } = await app.issue()
  const { token: key } = await app.makeKey()
  const [head = '', body = '', signature = ''] = token.split('.')
  const nested = Buffer.from(`{"a":${'['.repeat(2500)}${']'.repeat(2500)}}`).toString('base64url')
  const utf8 = Buffer.from('{"alg":"EdDSA","kid":"\u00e9"}').toString('base64url')
  const big = 'A'.repeat(8192)
  const values: Array<string | string[]> = [
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${big}`,
    `Bearer ${big}.${big.slice(0, 4000)}.${signature}`,
    `Bearer ${head}.${nested}.${signature}`,
    `Bearer ${nested}.${body}.${signature}`,
    `Bearer ${utf8}.${body}.${signature}`,
    `Bearer ${Buffer.from([0xff, 0xfe]).toString('base64url')}.${body}.${signature}`,
    'Bearer bnVsbA.bnVsbA.bnVsbA',
    'Bearer __proto__.constructor.prototype',
    'Bearer \u00ff\u00fe\u0080',
    `Bearer ${key}\u00e9`,
    `Bearer svc_${'0'.repeat(8000)}`,
    'Bearer %00%0d%0a',
    `Bearer ${token} ${token}`,
    `Bearer ${key},${key}`,
    [`Bearer ${token}`, `Bearer ${token}`],
    [`Bearer ${key}`, ''],
    ['', `Bearer ${key}`],
    ['Basic x', `Bearer ${token}`],
    `Bearer ${'A'.repeat(20_000)}`,
    `Bearer ${token}\0`,
    `Bearer\r\n ${token}`
  ]
  for (const authorization of values) {
    for (const target of ['/jwt/who', '/key/who', '/both/who', '/any/who']) {
      const { status, text } = await rawExchange(app.port, rawRequest('GET', target, { authorization }))
      const title = `${target} ${JSON.stringify(authorization).slice(0, 60)}`
      t.ok([400, 401, 431].includes(status), `${status} ${title}`)
      t.notMatch(text, /at .*\.[jt]s|node:|node_modules/, title)
    }
  }
  t.strictSame(faults(app), [])
  t.equal((await app.present(token)).status, 200, 'and the server is well')
})

t.test('random bytes, over a socket', async (t) => {
  const app = await tokenApp(t)
  const random = new SeededRandom(23)
  const bytes = (most: number) =>
    String.fromCharCode(...Array.from({ length: 1 + random.below(most) }, () => 0x21 + random.below(0xde)))
  const odd: string[] = []
  for (let round = 0; round < 300; round += 1) {
    const part = () => Buffer.from(bytes(60), 'latin1').toString('base64url')
    const value = random.pick([
      `Bearer ${bytes(200)}`,
      `Bearer ${part()}.${part()}.${part()}`,
      `Bearer svc_${bytes(60)}`
    ])
    const { status } = await rawExchange(app.port, rawRequest('GET', '/any/who', { authorization: value }))
    if (status !== 400 && status !== 401) odd.push(`${status} ${JSON.stringify(value)}`)
  }
  t.strictSame(odd, [])
  t.strictSame(faults(app), [])
})
