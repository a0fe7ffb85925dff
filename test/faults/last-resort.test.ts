/** X1: an error that nothing handles, in a real process: told, recorded, and a stop that cuts nobody. */
import t from 'tap'
import { startServed } from './served-process.ts'

const EVENT = /event (\{.*"action":"process\.failure".*\})/

for (const [path, reason] of [
  ['/rejects', 'unhandledRejection'],
  ['/throws', 'uncaughtException'],
  ['/rejects-nothing', 'unhandledRejection']
] as const) {
  t.test(`X1: ${path}: one FATAL line with its place, an event, running requests finished, exit code 1`, async (t) => {
    const { running, get } = await startServed(t)
    const slow = get('/slow?fails=1')
    await running.shows(/slow began/)
    await get(path).catch(() => undefined)
    const { code } = await running.finished()
    t.equal(code, 1)
    t.strictSame(await (await slow).json(), { slow: 'finished' }, 'a second such error cuts nobody either')
    const fatal = running.output.split('\n').filter((line) => line.includes('"level":60'))
    t.equal(fatal.length, 2, 'each is told')
    t.match(JSON.parse(fatal[0] as string), { code: 'SVC_PROCESS_FAILURE', msg: /nothing handled it/ })
    const [, event = '{}'] = EVENT.exec(running.output) ?? []
    t.match(JSON.parse(event), { category: 'config', outcome: 'failure', reason })
    if (path === '/rejects-nothing') return
    t.match(JSON.parse(fatal[0] as string), { at: /served-app\.js:\d+$/, err: { message: /^nobody/ } })
    t.match(JSON.parse(event).metadata, { at: /served-app\.js:\d+$/ })
    t.notMatch(event, /nobody/, 'the message stays in the log')
  })
}

t.test('X1: development shows the place', async (t) => {
  const { running, get } = await startServed(t, { mode: 'development' })
  await get('/rejects').catch(() => undefined)
  t.equal((await running.finished()).code, 1)
  t.match(running.output, /SVC_PROCESS_FAILURE {2}.*\n {2}at: .*served-app\.js:\d+\n/)
})

t.test('X1: an application that listens for such errors decides about them itself', async (t) => {
  const { running, get } = await startServed(t, { handles: true })
  t.equal((await get('/rejects')).status, 200)
  await running.shows(/handled nobody hears this/)
  t.equal((await get('/')).status, 200, 'it goes on')
  t.notMatch(running.output, /SVC_PROCESS_FAILURE/)
  t.equal((await running.stop()).code, 0)
})
