/** Call sites: the place of a decorator, as the runtime tells it. */
import t from 'tap'
import { callSite, placeIn, shortPath } from '../../src/declarations/call-site.ts'
import { declarationsOf } from '../../src/declarations/declarations.ts'
import { Get } from '../../src/index.ts'

t.test('the first frame of a stack, whatever its form', async (t) => {
  const cwd = process.cwd()
  const rows: Array<[stack: string, place: string | null]> = [
    [`Error: x\n    at ${cwd}/a/b.ts:3:7`, 'a/b.ts:3'],
    [`Error: x\n    at file://${cwd}/a%20b.ts:3:7`, 'a b.ts:3'],
    [`Error: x\n    at Object.<anonymous> (${cwd}/c.ts:10:1)\n    at later (${cwd}/d.ts:1:1)`, 'c.ts:10'],
    [`Error: x\n    at async file://${cwd}/e.ts:5:2`, 'e.ts:5'],
    ['Error: x\n    at /elsewhere/f.js:2:2', '/elsewhere/f.js:2'],
    ['Error: x', null]
  ]
  for (const [stack, place] of rows) t.equal(placeIn(stack), place)
})

t.test('a path outside of the working directory stays whole', async (t) => {
  t.equal(shortPath('/elsewhere/x.ts'), '/elsewhere/x.ts')
})

t.test('the caller of the factory is named, in this file', async (t) => {
  function factory(): string | null {
    return callSite(factory)
  }
  t.match(factory(), /call-site\.test\.[jt]s:\d+$/)
})

t.test('the stack limit of the process is put back', async (t) => {
  const before = Error.stackTraceLimit
  callSite(() => undefined)
  t.equal(Error.stackTraceLimit, before)
})

t.test('a decorator remembers its line', async (t) => {
  class Hello {
    @Get('/a') a(): void {}

    @Get('/b') b(): void {}
  }
  const lines = [...declarationsOf(Hello).methods.values()].map(({ routes }) =>
    Number(routes[0]?.source?.split(':').at(-1))
  )
  t.equal(lines.length, 2)
  t.ok((lines[1] ?? 0) > (lines[0] ?? 0))
})
