/** The lines around a mistake. */

import { formatProblem } from 'svc-kernel/host'
import t from 'tap'
import { codeFrame } from '../../src/application/transform-problem.ts'

const TEXT = 'one\ntwo\n\tthree(,)\nfour\nfive\n'

t.test('N4: the place is marked, with two lines before it and one behind', async (t) => {
  t.equal(codeFrame(TEXT, 3, 8), '  1 | one\n  2 | two\n> 3 | \tthree(,)\n    | \t      ^\n  4 | four')
  t.equal(codeFrame(TEXT, 1), '> 1 | one\n  2 | two')
  t.equal(codeFrame(TEXT, 99), undefined)
  t.equal(codeFrame(TEXT, 0), undefined)
})

t.test('N4: it stands between the place and the rest', async (t) => {
  const problem = { code: 'SVC_X', message: 'm', at: 'a.ts:1', frame: '> 1 | one\n    | ^', fix: 'do it' }
  t.equal(
    formatProblem(problem),
    '✖ SVC_X  m\n  at: a.ts:1\n    > 1 | one\n        | ^\n  fix: do it\n  more: npx svc docs SVC_X'
  )
})
