/** A boot error that nobody catches ends the process with its problems, not with a stack. */
import t from 'tap'
import { startChild } from '../child-process.ts'

t.test('R10: a wrong environment, where the entry is run by itself: five parts, all problems, code 1', async (t) => {
  const child = startChild(t, 'wrong-env')
  t.same(await child.exit(), { code: 1, signal: null })
  t.equal(
    child.stderr,
    [
      '2 problems',
      '✖ SVC_KERNEL_ENV  the environment variable has an invalid value',
      '  at: PORT',
      '  got "abc", expected an integer',
      '  fix: PORT=5151, in .env or in the environment',
      '  more: npx svc docs configuration',
      '✖ SVC_KERNEL_ENV  the environment variable is not set',
      '  at: TOKEN',
      '  expected text',
      '  fix: add TOKEN=... to .env',
      '  more: npx svc docs configuration',
      ''
    ].join('\n')
  )
})

t.test('R10: a process with a handler of its own keeps it', async (t) => {
  const child = startChild(t, 'wrong-env', 'handled')
  t.same(await child.exit(), { code: 0, signal: null })
  t.equal(child.stdout, 'handled SVC_KERNEL_ENV\n')
  t.equal(child.stderr, '')
})
