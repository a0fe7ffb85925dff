/** Sources, tests and set-up scripts stay within their bounds. */
import t from 'tap'
import { countLines, MAX_SOURCE_LINES, MAX_TEST_LINES, medianFindings, sizeFindings } from './file-size.ts'
import { describeFindings } from './finding.ts'
import { noFindings } from './no-findings.ts'
import {
  PACKAGE_SOURCES,
  PACKAGE_TESTS,
  readFiles,
  SETUP_SCRIPTS,
  SPANNING_TESTS,
  TEMPLATE_SOURCES,
  WEB_SOURCES
} from './repository.ts'

const file = (path: string, lines: number) => ({ path, text: 'x\n'.repeat(lines) })

t.test('lines are counted as editors count them', async (t) => {
  t.equal(countLines('a\nb\n'), 2)
  t.equal(countLines('a\nb'), 2)
})

t.test('the limit itself is allowed, one line more is not', async (t) => {
  t.strictSame(sizeFindings([file('a.ts', 250)], 250), [])
  t.match(describeFindings(sizeFindings([file('a.ts', 251)], 250)), [/^a\.ts has 251 lines, at most 250/])
})

t.test('the median is taken per package', async (t) => {
  const short = [file('plugins/a/src/1.ts', 10), file('plugins/a/src/2.ts', 100), file('plugins/a/src/3.ts', 240)]
  const long = [file('plugins/b/src/1.ts', 10), file('plugins/b/src/2.ts', 131), file('plugins/b/src/3.ts', 132)]
  t.match(describeFindings(medianFindings([...short, ...long])), [/^plugins\/b\/src has a median of 131/])
})

t.test('this repository', async (t) => {
  const sources = readFiles(...PACKAGE_SOURCES)
  const limited = [...sources, ...readFiles(...WEB_SOURCES, ...TEMPLATE_SOURCES, ...SETUP_SCRIPTS)]
  noFindings(t, sizeFindings(limited, MAX_SOURCE_LINES), 'length of sources')
  noFindings(t, sizeFindings(readFiles(...PACKAGE_TESTS, ...SPANNING_TESTS), MAX_TEST_LINES), 'length of tests')
  noFindings(t, medianFindings(sources), 'middle length per package')
})
