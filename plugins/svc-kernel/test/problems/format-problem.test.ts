/** Problems as a person reads them: five parts, in one order. */
import t from 'tap'
import { formatProblem, formatProblems, type Paint, type Problem } from '../../src/problems/problem.ts'

const whole: Problem = {
  code: 'SVC_X',
  message: 'it failed',
  at: 'svc.config.ts:3  svc-x.mode',
  got: '"any"',
  expected: 'first | all',
  fix: 'set mode to first',
  more: 'npx svc docs options'
}

t.test('all parts', async (t) => {
  t.equal(
    formatProblem(whole),
    [
      '✖ SVC_X  it failed',
      '  at: svc.config.ts:3  svc-x.mode',
      '  got "any", expected first | all',
      '  fix: set mode to first',
      '  more: npx svc docs options'
    ].join('\n')
  )
})

const parts: ReadonlyArray<[Problem, string]> = [
  [{ code: 'A', message: 'm' }, '✖ A  m'],
  [{ code: 'A', message: 'm', got: '1' }, '✖ A  m\n  got 1'],
  [{ code: 'A', message: 'm', expected: '2' }, '✖ A  m\n  expected 2'],
  [{ code: 'A', message: 'm', at: undefined, fix: 'f' }, '✖ A  m\n  fix: f']
]

for (const [problem, text] of parts) {
  t.test(text, async (t) => {
    t.equal(formatProblem(problem), text)
  })
}

t.test('colours are passed in, another mark is a warning', async (t) => {
  const paint: Paint = (style, text) => `<${style}>${text}</>`
  t.equal(formatProblem({ code: 'A', message: 'm', at: 'x' }, paint), '<red>✖</> <bold>A</>  m\n  <dim>at:</> x')
  t.match(formatProblem({ code: 'A', message: 'm' }, paint, '▲'), '<yellow>▲</>')
})

t.test('several are counted, one is not', async (t) => {
  t.equal(
    formatProblems([
      { code: 'A', message: 'm' },
      { code: 'B', message: 'n' }
    ]),
    '2 problems\n✖ A  m\n✖ B  n'
  )
  t.equal(formatProblems([{ code: 'A', message: 'm' }]), '✖ A  m')
})

t.test('a code of ours without a page of its own leads to what the code means; a foreign one does not', async (t) => {
  t.equal(formatProblem({ code: 'SVC_X', message: 'm' }), '✖ SVC_X  m\n  more: npx svc docs SVC_X')
  t.equal(formatProblem({ code: 'EMFILE', message: 'm' }), '✖ EMFILE  m')
})
