/** Failures of the compiler, read as problems with a place. */
import t from 'tap'
import { transformProblem } from '../../src/application/transform-problem.ts'

t.test('N4: what does not compile: its place and the sentence, without the picture', async (t) => {
  const message = [
    'Transform failed with 1 error:',
    '',
    '\u001b[31m[PARSE_ERROR] \u001b[0mExpected `,` or `)` but found `{`',
    '   \u001b[38;5;246m╭─[\u001b[0m controllers/b.ts:3:28 \u001b[38;5;246m]\u001b[0m'
  ].join('\n')
  const root = t.testdir({ controllers: { 'b.ts': 'one\ntwo\nthree(  four { five\n' } })
  t.strictSame(transformProblem({ message, id: `${root}/controllers/b.ts`, plugin: 'vite:oxc' }, root), {
    code: 'SVC_SOURCE_SYNTAX',
    message: 'the file does not compile: Expected `,` or `)` but found `{`',
    at: 'controllers/b.ts:3',
    frame: `  1 | one\n  2 | two\n> 3 | three(  four { five\n    | ${' '.repeat(19)}^\n  4 |`,
    fix: 'correct it there'
  })
  t.match(transformProblem({ message: 'no picture', id: '/app/x.ts', plugin: 'p' }, '/app'), {
    message: 'the file does not compile: no picture',
    at: 'x.ts'
  })
})

t.test('an import of a file that is not there', async (t) => {
  const message = 'Failed to load url ./nope.ts (resolved id: ./nope.ts) in /app/controllers/c.ts. Does the file exist?'
  t.match(transformProblem({ message, code: 'ERR_LOAD_URL' }, '/app'), {
    code: 'SVC_SOURCE_MISSING',
    message: 'the imported file does not exist: ./nope.ts',
    at: 'controllers/c.ts'
  })
})

t.test('what the code threw by itself is left as it is', async (t) => {
  t.equal(transformProblem(new Error('boom'), '/app'), null)
  t.equal(transformProblem(undefined, '/app'), null)
})
