/** Colours go to terminals that want them, and nowhere else. */
import { PassThrough } from 'node:stream'
import { WriteStream } from 'node:tty'
import t from 'tap'
import { terminalPaint } from '../../src/problems/problem.ts'

const VARIABLES = ['NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS', 'COLORTERM', 'TERM', 'CI', 'TMUX']

function painted(
  t: { teardown(work: () => void): void },
  terminal: boolean,
  environment: Record<string, string>
): string {
  const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]))
  t.teardown(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  for (const name of VARIABLES) delete process.env[name]
  Object.assign(process.env, environment)
  const stream = Object.assign(new PassThrough(), {
    isTTY: terminal,
    getColorDepth: WriteStream.prototype.getColorDepth
  })
  return terminalPaint(stream)('red', 'x')
}

const rows: ReadonlyArray<[title: string, terminal: boolean, environment: Record<string, string>, colour: boolean]> = [
  ['a terminal', true, { TERM: 'xterm-256color' }, true],
  ['a terminal with NO_COLOR', true, { TERM: 'xterm-256color', NO_COLOR: '1' }, false],
  ['a pipe', false, { TERM: 'xterm-256color' }, false]
]

for (const [title, terminal, environment, colour] of rows) {
  t.test(title, async (t) => {
    t.equal(painted(t, terminal, environment), colour ? '\u001b[31mx\u001b[39m' : 'x')
  })
}
