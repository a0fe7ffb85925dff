/** Development lines: calm, printable, problems in their parts. */
import t from 'tap'
import { DevLog } from '../../src/logging/dev-log.ts'

function written(...lines: string[]): { text: string; log: DevLog } {
  let text = ''
  const log = new DevLog(
    {
      write: (part: string) => {
        text += part
      }
    } as unknown as NodeJS.WritableStream,
    (_style, part) => part
  )
  for (const line of lines) log.write(line)
  return { text, log }
}

const line = (entry: object): string => `${JSON.stringify(entry)}\n`
const problem = { code: 'SVC_X', at: 'a.b', got: '1', expected: '2', fix: 'do it', more: 'docs/x.md' }

const rows: ReadonlyArray<[title: string, line: string, text: string]> = [
  ['trace', line({ level: 10, msg: 'm' }), 'debug m\n'],
  ['debug', line({ level: 20, msg: 'm' }), 'debug m\n'],
  ['info', line({ level: 30, msg: 'm', time: 1, pid: 2 }), 'info  m\n'],
  ['warn', line({ level: 40, msg: 'm' }), 'warn  m\n'],
  ['error', line({ level: 50, msg: 'm' }), 'error m\n'],
  ['fatal', line({ level: 60, msg: 'm' }), 'fatal m\n'],
  [
    'an error with its stack',
    line({ level: 50, msg: 'm', err: { message: 'e', stack: 'Error: e\n    at f' } }),
    'error m\nError: e\n    at f\n'
  ],
  ['an error without a message of its own', line({ level: 50, err: { message: 'e' } }), 'error e\ne\n'],
  [
    'a warning in its parts',
    line({ level: 40, msg: 'm', ...problem }),
    '▲ SVC_X  m\n  at: a.b\n  got 1, expected 2\n  fix: do it\n  more: docs/x.md\n'
  ],
  ['an error in its parts', line({ level: 50, msg: 'm', code: 'SVC_X' }), '✖ SVC_X  m\n  more: npx svc docs SVC_X\n'],
  ['a code below a warning is a detail', line({ level: 30, msg: 'm', code: 'SVC_X' }), 'info  m  code=SVC_X\n'],
  [
    'control characters are shown',
    line({ level: 30, msg: 'a\u001b[2J\r\u0007b\u009bc\nd' }),
    'info  a\\x1b[2J\\x0d\\x07b\\x9bc\nd\n'
  ],
  ['in a stack', line({ level: 50, msg: 'm', err: { stack: 'a\u001b[2J' } }), 'error m\na\\x1b[2J\n'],
  [
    'in the parts of a problem',
    line({ level: 40, msg: 'm', code: 'X\u001b', at: 'a\u001b', fix: 'f\u001b' }),
    '▲ X\\x1b  m\n  at: a\\x1b\n  fix: f\\x1b\n'
  ],
  [
    'C4: fields, in their order, without what the logger adds',
    line({
      level: 30,
      time: 1,
      pid: 2,
      hostname: 'h',
      plugin: 'p',
      reqId: 'req-1',
      n: 7,
      s: 'a b',
      o: { x: [1] },
      msg: 'm'
    }),
    'info  m  reqId=req-1  n=7  s="a b"  o={"x":[1]}\n'
  ],
  [
    'C4: the request of a line is named by method and URL, secrets in it masked',
    line({ level: 50, reqId: 'r', method: 'GET', url: '/a?token=x&b=1', msg: 'm', err: { stack: 'Error: e' } }),
    'error m  GET /a?token=***&b=1  reqId=r\nError: e\n'
  ],
  [
    'C4: many fields stand below',
    line({ level: 40, attribute: 'x'.repeat(60), reason: 'y'.repeat(60), msg: 'm' }),
    `warn  m\n  attribute=${'x'.repeat(60)}\n  reason=${'y'.repeat(60)}\n`
  ],
  [
    'C4: the value of a secret is not shown, at any depth',
    line({ level: 30, password: 'p', body: { api_key: 'k', n: 1 }, accessToken: null, msg: 'm' }),
    'info  m  password=***  body={"api_key":"***","n":1}  accessToken=null\n'
  ],
  [
    'C4: fields of a problem stand below its parts',
    line({ level: 50, code: 'SVC_X', fix: 'f', file: 'a', msg: 'm' }),
    '✖ SVC_X  m\n  fix: f\n  more: npx svc docs SVC_X\n  file=a\n'
  ],
  ['C4: control characters in a field are shown', line({ level: 30, x: 'a\u001b', msg: 'm' }), 'info  m  x=a\\x1b\n'],
  ['C4: fields without a text', line({ level: 30, x: 1 }), 'info    x=1\n'],
  ['an entry that says nothing', line({ level: 30, msg: '' }), ''],
  ['an entry without a message', line({ level: 30 }), ''],
  ['not JSON', 'plain text\n', 'plain text\n'],
  ['JSON that is no entry', '42\n', '42\n'],
  ['null', 'null\n', 'null\n']
]

for (const [title, given, text] of rows) {
  t.test(title, async (t) => {
    t.equal(written(given).text, text)
  })
}

t.test('warnings are counted, until they are not', async (t) => {
  const { log } = written(
    line({ level: 40, msg: 'm' }),
    line({ level: 30, msg: 'm' }),
    line({ level: 40, msg: 'm', code: 'X' }),
    line({ level: 50, msg: 'm' })
  )
  t.equal(log.warnings, 2)
  log.reset()
  t.equal(log.warnings, 0)
})
