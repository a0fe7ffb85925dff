/** Which answers to OPTIONS turn a page away. */
import t from 'tap'
import { rejectedOrigin } from '../../src/cross-origin/rejected-origin.ts'

const PAGE = 'https://page.example'
const preflight = { origin: PAGE, 'access-control-request-method': 'POST' }

const rows: ReadonlyArray<[title: string, headers: object, allowed: unknown, rejected: string | null]> = [
  ['nothing was allowed', preflight, undefined, PAGE],
  ['another origin was', preflight, 'https://other.example', PAGE],
  ['the header came twice', preflight, [PAGE, PAGE], PAGE],
  ['this origin was', preflight, PAGE, null],
  ['every origin was', preflight, '*', null],
  ['a sandboxed page, whose origin is a word', { ...preflight, origin: 'null' }, undefined, 'null'],
  ['no page asked', { 'access-control-request-method': 'POST' }, undefined, null],
  ['no preflight', { origin: PAGE }, undefined, null]
]

for (const [title, headers, allowed, rejected] of rows) {
  t.equal(rejectedOrigin(headers, allowed), rejected, title)
}
