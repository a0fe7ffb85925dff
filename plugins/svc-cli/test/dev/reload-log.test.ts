/** What the log tells of the boots after the first: news, warnings and errors. */
import { PassThrough } from 'node:stream'
import { DevLog } from 'svc-host'
import t from 'tap'
import { reloadLog } from '../../src/dev/reload-log.ts'

const line = (level: number, msg: string): string => `{"level":${level},"time":1,"msg":${JSON.stringify(msg)}}\n`

t.test('a reload repeats nothing but warnings and errors, and tells what is new', async (t) => {
  const output = new PassThrough({ encoding: 'utf8' })
  const log = reloadLog({ DevLog }, output)
  const shown = (): string[] =>
    String(output.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map((text) => text.replace(/^(?:info|warn|error) +/, ''))
  const boot = (): void => {
    log.write(line(30, 'connected to "a"'))
    log.write(line(40, 'watch out'))
  }
  boot()
  t.strictSame(shown(), ['connected to "a"', 'watch out'])
  log.brief = true
  boot()
  log.write(line(30, 'added column a.b'))
  log.write(line(50, 'broken'))
  t.strictSame(shown(), ['watch out', 'added column a.b', 'broken'])
  boot()
  log.write(line(30, 'added column a.b'))
  t.strictSame(shown(), ['watch out'])
  log.brief = false
  boot()
  t.strictSame(shown(), ['connected to "a"', 'watch out'], 'outside of a boot everything is told')
  log.write('no JSON\n')
  t.strictSame(shown(), ['no JSON'])
})
