/**
 * The page about the OWASP ASVS 5.0.0: each requirement of levels 1 and 2 is on it once, with tests that exist or with the
 * one who has to meet it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import t from 'tap'
import { ROOT } from './repository.ts'

/** Numbers of the standard, by section. */
const REQUIREMENTS: Readonly<Record<string, string>> = {
  '1.1': '1 2',
  '1.2': '1 2 3 4 5 6 7 8 9',
  '1.3': '1 2 3 4 5 6 7 8 9 10 11',
  '1.4': '1 2 3',
  '1.5': '1 2',
  '2.1': '1 2 3',
  '2.2': '1 2 3',
  '2.3': '1 2 3 4',
  '2.4': '1',
  '3.2': '1 2',
  '3.3': '1 2 3 4',
  '3.4': '1 2 3 4 5 6',
  '3.5': '1 2 3 4 5',
  '3.7': '1 2',
  '4.1': '1 2 3',
  '4.2': '1',
  '4.3': '1 2',
  '4.4': '1 2 3 4',
  '5.1': '1',
  '5.2': '1 2 3',
  '5.3': '1 2',
  '5.4': '1 2 3',
  '6.1': '1 2 3',
  '6.2': '1 2 3 4 5 6 7 8 9 10 11 12',
  '6.3': '1 2 3 4',
  '6.4': '1 2 3 4',
  '6.5': '1 2 3 4 5',
  '6.6': '1 2 3',
  '6.8': '1 2 3 4',
  '7.1': '1 2 3',
  '7.2': '1 2 3 4',
  '7.3': '1 2',
  '7.4': '1 2 3 4 5',
  '7.5': '1 2',
  '7.6': '1 2',
  '8.1': '1 2',
  '8.2': '1 2 3',
  '8.3': '1',
  '8.4': '1',
  '9.1': '1 2 3',
  '9.2': '1 2 3 4',
  '10.1': '1 2',
  '10.2': '1 2',
  '10.3': '1 2 3 4',
  '10.4': '1 2 3 4 5 6 7 8 9 10 11',
  '10.5': '1 2 3 4 5',
  '10.6': '1 2',
  '10.7': '1 2 3',
  '11.1': '1 2',
  '11.2': '1 2 3',
  '11.3': '1 2 3',
  '11.4': '1 2 3 4',
  '11.5': '1',
  '11.6': '1',
  '12.1': '1 2 3',
  '12.2': '1 2',
  '12.3': '1 2 3 4',
  '13.1': '1',
  '13.2': '1 2 3 4 5',
  '13.3': '1 2',
  '13.4': '1 2 3 4 5',
  '14.1': '1 2',
  '14.2': '1 2 3 4',
  '14.3': '1 2 3',
  '15.1': '1 2 3',
  '15.2': '1 2 3',
  '15.3': '1 2 3 4 5 6 7',
  '16.1': '1',
  '16.2': '1 2 3 4 5',
  '16.3': '1 2 3 4',
  '16.4': '1 2 3',
  '16.5': '1 2 3',
  '17.1': '1',
  '17.2': '1 2 3 4',
  '17.3': '1 2'
}

const PAGE = resolve(ROOT, 'docs/reference/asvs.md')
const text = readFileSync(PAGE, 'utf8')
const rows = [...text.matchAll(/^\| (\d[^|]*) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, ids = '', , answer = '']) => ({
  ids: ids.split(', '),
  answer
}))

t.test('each requirement of levels 1 and 2 is on the page once', async (t) => {
  const required = Object.entries(REQUIREMENTS).flatMap(([section, numbers]) =>
    numbers.split(' ').map((number) => `${section}.${number}`)
  )
  t.equal(required.length, 253)
  t.strictSame(rows.flatMap(({ ids }) => ids).sort(), required.sort())
})

t.test('a row that is met names tests that exist; another one says whose it is', async (t) => {
  const [met = '', left = ''] = text.split('## Left to others')
  for (const { ids, answer } of rows) {
    const tests = [...answer.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
    if (left.includes(`| ${ids.join(', ')} |`)) t.strictSame(tests, [], `${ids}: another one meets it`)
    else t.ok(met.includes(answer) && tests.length > 0, `${ids}: a test shows it`)
    for (const path of tests) {
      t.match(path, /\.test\.ts$/)
      t.ok(existsSync(resolve(PAGE, '..', path)), path)
    }
  }
})
