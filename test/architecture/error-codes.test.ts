/** Each error code is on the reference page, and the page lists no code that is gone. */
import t from 'tap'
import { declaredCodes } from './declared-codes.ts'
import { declarationFindings, errorCodeFindings } from './error-codes.ts'
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

const classes = {
  path: 'plugins/x/src/errors.ts',
  text: `/** Every error. */
import { expectedError } from 'svc-kernel/plugin'

/** 404: there is no such row. Fix: check the id. */
export const RowNotFound = expectedError<[id: string]>('SVC_X_ROW', 'no %s', 404)

const Taken = createError(
  'SVC_X_TAKEN',
  'taken'
)

/**
 * 409, thrown: another row
 * has it. Fix: choose: another.
 *
 * Never with a value.
 */
export class RowTaken extends Taken {}
`
}
const table = {
  path: 'plugins/x/src/problem-codes.ts',
  text: `/** Codes. */
export interface ProblemCodes {
  /** boot: it is late. Fix: register it before. */
  SVC_X_LATE: true
}
`
}
const raise = (text: string) => ({ path: 'plugins/x/src/rows.ts', text })
const raised = raise("new RowNotFound()\nnew RowTaken()\nwarn('SVC_X_LATE')")

t.test('declared codes', async (t) => {
  t.strictSame(
    declaredCodes([classes, table, raised]).map(({ code, line, owner, name, where, meaning, fix }) => [
      [code, line, owner, name],
      [where, meaning, fix]
    ]),
    [
      [
        ['SVC_X_ROW', 5, 'x', 'RowNotFound'],
        ['404', 'there is no such row', 'check the id']
      ],
      [
        ['SVC_X_TAKEN', 8, 'x', 'RowTaken'],
        ['409, thrown', 'another row has it', 'choose: another']
      ],
      [
        ['SVC_X_LATE', 4, 'x', null],
        ['boot', 'it is late', 'register it before']
      ]
    ]
  )
  t.strictSame(declarationFindings([classes, table, raised]), [])
})

t.test('codes and their declarations', async (t) => {
  const bare = { ...table, text: '/** Codes. */\nexport interface ProblemCodes {\n  SVC_X_BARE: true\n}\n' }
  const rows: [what: string, sources: (typeof raised)[], found: RegExp][] = [
    ['an undeclared code', [raise("warn('SVC_X_NEW')")], /rows\.ts:1 SVC_X_NEW is not declared/],
    ['a code without a meaning', [bare, raise("warn('SVC_X_BARE')")], /:3 SVC_X_BARE does not say what it means/],
    ['a code that is never raised', [table], /:4 SVC_X_LATE is declared and never raised/],
    ['a class that is never raised', [classes, raise('new RowTaken()')], /:5 SVC_X_ROW is declared and never raised/],
    ['a code declared twice', [table, { ...table, path: 'plugins/y/src/problem-codes.ts' }, raised], /declared twice/],
    ['a class elsewhere', [raise("const A = createError('a', 'b')")], /rows\.ts makes an error class/]
  ]
  for (const [what, sources, found] of rows) t.match(describeFindings(declarationFindings(sources)), [found], what)
})

t.test('this repository', async (t) => {
  const reference = readFile('docs/reference/errors.md')
  const sources = readFiles(...PACKAGE_SOURCES, ...TEMPLATE_SOURCES)
  noFindings(t, errorCodeFindings(sources, reference), 'codes')
  noFindings(t, declarationFindings(sources), 'declarations')
})
