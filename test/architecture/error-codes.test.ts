/** Each error code is on the reference page, and the page lists no code that is gone. */
import t from 'tap'
import { errorCodeFindings } from './error-codes.ts'
import { describeFindings } from './finding.ts'
import { noFindings } from './no-findings.ts'
import { PACKAGE_SOURCES, readFile, readFiles, TEMPLATE_SOURCES } from './repository.ts'

const page = (...codes: string[]) => ({
  path: 'docs/reference/errors.md',
  text: `| code | where |\n| --- | --- |\n${codes.map((code) => `| \`${code}\` | boot |\n`).join('')}`
})
const source = (text: string) => [{ path: 'plugins/x/src/errors.ts', text }]

t.test('codes and page agree', async (t) => {
  t.strictSame(errorCodeFindings(source("a('SVC_X_ONE')\nb(`SVC_X_TWO`)"), page('SVC_X_ONE', 'SVC_X_TWO')), [])
})

t.test('a code without a row', async (t) => {
  const found = describeFindings(errorCodeFindings(source("a('SVC_X_ONE')\nb('SVC_X_TWO')"), page('SVC_X_ONE')))
  t.match(found, [/^plugins\/x\/src\/errors\.ts:2 uses SVC_X_TWO/])
})

t.test('a row without a code, named in a comment only', async (t) => {
  const found = describeFindings(errorCodeFindings(source('// SVC_X_ONE'), page('SVC_X_ONE')))
  t.match(found, [/^docs\/reference\/errors\.md:3 lists SVC_X_ONE/])
})

t.test('a code that the page only mentions is not documented', async (t) => {
  const prose = { path: 'docs/reference/errors.md', text: 'See `SVC_X_ONE`.\n' }
  t.equal(errorCodeFindings(source("a('SVC_X_ONE')"), prose).length, 1)
})

t.test('variables of the environment are no codes', async (t) => {
  t.strictSame(errorCodeFindings(source("a('SVC_WEBHOOK_KEY')"), page()), [])
})

t.test('this repository', async (t) => {
  const reference = readFile('docs/reference/errors.md')
  const sources = readFiles(...PACKAGE_SOURCES, ...TEMPLATE_SOURCES)
  noFindings(t, errorCodeFindings(sources, reference), 'codes')
})
