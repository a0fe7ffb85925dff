/** The index of the journeys names each of them once, and none that is not there. */
import { posix } from 'node:path'
import t from 'tap'
import { describeFindings, type Finding } from './finding.ts'
import { noFindings } from './no-findings.ts'
import { readFile, readFiles } from './repository.ts'

const INDEX = 'test/journeys/README.md'

/** @param index rows of a table whose third cell names the file */
function journeyFindings(index: string, files: readonly string[]): Finding[] {
  const listed = [...index.matchAll(/^\|[^|]+\|[^|]+\| `([\w.-]+)` \| [^|]+ \|$/gm)].map(([, file = '']) => file)
  const finding = (problem: string, fix: string): Finding => ({ path: INDEX, line: 0, problem, fix })
  return [
    ...files.filter((file) => !listed.includes(file)).map((file) => finding(`does not list ${file}`, 'add a row')),
    ...listed
      .filter((file, at) => !files.includes(file) || listed.indexOf(file) !== at)
      .map((file) => finding(`lists ${file}, which is not there or listed before`, 'delete the row'))
  ]
}

t.test('what the index and the folder may differ in', async (t) => {
  const row = (file: string) => `| J1 | create and run | \`${file}\` | 9 s |`
  t.strictSame(journeyFindings(row('a.test.ts'), ['a.test.ts']), [])
  t.match(describeFindings(journeyFindings('', ['a.test.ts'])), [/does not list a\.test\.ts/])
  t.match(describeFindings(journeyFindings(row('b.test.ts'), [])), [/lists b\.test\.ts/])
  t.match(describeFindings(journeyFindings([row('a'), row('a')].join('\n'), ['a'])), [/listed before/])
})

t.test('this repository', async (t) => {
  const files = readFiles('test/journeys/*.test.ts').map(({ path }) => posix.basename(path))
  t.ok(files.length > 12)
  noFindings(t, journeyFindings(readFile(INDEX).text, files), 'journeys')
})
