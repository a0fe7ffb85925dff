/** Lists of breached passwords: found by counted reads in a file, in a folder of ranges, and by a function that sees a prefix only. */
import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import fsPromises from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { breachedRange, openBreachedList } from '../../src/users/breached-passwords.ts'

// Published: SHA-1 of "password" in hexadecimal.
const OF_PASSWORD = '5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8'

const digestOf = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `secret ${index}`)

function listOf(
  passwords: readonly string[],
  line = (digest: string, at: number) => `${digest}:${at + 1}`,
  end = '\n'
) {
  return passwords
    .map(digestOf)
    .sort()
    .map((digest, at) => line(digest, at) + end)
    .join('')
}

const forms: Array<[title: string, text: (passwords: readonly string[]) => string]> = [
  ['with counts', (passwords) => listOf(passwords)],
  ['with the line ends of Windows', (passwords) => listOf(passwords, undefined, '\r\n')],
  ['of hashes alone', (passwords) => listOf(passwords, (digest) => digest)],
  ['in lower case', (passwords) => listOf(passwords).toLowerCase()],
  ['without a last line end', (passwords) => listOf(passwords).trimEnd()]
]
for (const [title, text] of forms) {
  t.test(`a file ${title}: what is listed is found, and nothing else`, async (t) => {
    for (const count of [0, 1, 2, 90, 91, 3000]) {
      const path = join(t.testdir(), 'list.txt')
      const listed = numbered(count)
      writeFileSync(path, text(listed))
      const isBreached = await openBreachedList(path)
      const missed: string[] = []
      for (const password of listed) if (!(await isBreached(password))) missed.push(password)
      t.strictSame(missed, [], `${count} lines`)
      for (const other of ['', 'password', `secret ${count}`, ...numbered(50).map((word) => `${word}!`)]) {
        t.equal(await isBreached(other), false, other)
      }
    }
  })
}

t.test('a search reads a few blocks of a large file', async (t) => {
  const path = join(t.testdir(), 'list.txt')
  const listed = numbered(50_000)
  writeFileSync(path, listOf(listed))
  const isBreached = await openBreachedList(path)
  const probe = await fsPromises.open(path)
  const prototype = Object.getPrototypeOf(probe) as { read: (...given: unknown[]) => unknown }
  await probe.close()
  const read = prototype.read
  let [reads, bytes] = [0, 0]
  prototype.read = function (this: unknown, ...given: unknown[]) {
    reads += 1
    bytes += given[2] as number
    return read.apply(this, given)
  }
  t.teardown(() => {
    prototype.read = read
  })
  t.equal(await isBreached('secret 12345'), true)
  t.equal(await isBreached('not listed'), false)
  // Two searches of 2.4 MB: ten halvings of it are 2.3 kB.
  t.ok(reads > 2 && reads <= 2 * 12, `${reads} reads`)
  t.ok(bytes <= 2 * (11 * 256 + 4096), `${bytes} bytes`)
})

t.test('a list that takes the place of another is used', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'list.txt')
  writeFileSync(path, listOf(['old']))
  const isBreached = await openBreachedList(path)
  writeFileSync(join(folder, 'newer.txt'), listOf(['new']))
  renameSync(join(folder, 'newer.txt'), path)
  t.strictSame([await isBreached('old'), await isBreached('new')], [false, true])
  rmSync(path)
  await t.rejects(isBreached('new'), { code: 'ENOENT' }, 'a list that is gone is no empty list')
})

t.test('what is no list is refused, at the first look or where a search meets it', async (t) => {
  const folder = t.testdir({
    'words.txt': 'password\nletmein\n',
    'big.txt': `${'x'.repeat(50)}\n`.repeat(1000),
    ranges: {}
  })
  await t.rejects(openBreachedList(join(folder, 'words.txt')), /SHA-1/)
  await t.rejects(openBreachedList(join(folder, 'big.txt')), /SHA-1.*at byte/)
  await t.rejects(openBreachedList(join(folder, 'ranges')), { code: 'ENOENT' })
  await t.rejects(openBreachedList(join(folder, 'none')), { code: 'ENOENT' })
})

t.test('a folder of ranges', async (t) => {
  const folder = join(t.testdir(), 'ranges')
  mkdirSync(folder)
  const range = (digest: string) => join(folder, `${digest.slice(0, 5)}.txt`)
  writeFileSync(range(digestOf('')), `${'0'.repeat(35)}:1\n`)
  writeFileSync(range(OF_PASSWORD), `${OF_PASSWORD.slice(5)}:9\r\n${'F'.repeat(35)}:2\r\n`)
  const isBreached = await openBreachedList(folder)
  t.equal(await isBreached('password'), true)
  await t.rejects(isBreached('another'), { code: 'ENOENT' }, 'a range that is missing is no empty range')
})

t.test('a function is given five digits, and padding counts for nothing', async (t) => {
  const asked: string[] = []
  const answers = new Map([['5BAA6', `${OF_PASSWORD.slice(5)}:3\r\n${'A'.repeat(35)}:0`]])
  const isBreached = breachedRange((prefix) => {
    asked.push(prefix)
    return answers.get(prefix) ?? ''
  })
  t.equal(await isBreached('password'), true)
  t.equal(await isBreached('not listed'), false)
  answers.set('5BAA6', `${OF_PASSWORD.slice(5)}:0`)
  t.equal(await isBreached('password'), false, 'a count of 0')
  t.strictSame(asked, ['5BAA6', digestOf('not listed').slice(0, 5), '5BAA6'])
  answers.set('5BAA6', '<html>service unavailable</html>')
  await t.rejects(isBreached('password'), /SHA-1/)
  await t.rejects(breachedRange(() => undefined as never)('password'), TypeError)
})
